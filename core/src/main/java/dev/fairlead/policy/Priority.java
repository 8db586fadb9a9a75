package dev.fairlead.policy;

/** How urgent a demand is: a head start over others that wait, not a licence to starve them. */
public enum Priority {
  LOW,
  NORMAL,
  HIGH
}

package dev.fairlead.service.http;

/** What a caller may do; each role may do all that those before it may. */
public enum Role {
  /** No token is needed. */
  ANYONE,
  /** Sees jobs and devices. */
  READ,
  /** Submits and changes jobs of its own tenant. */
  SUBMIT,
  /** Changes everything. */
  ADMIN;

  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }
}

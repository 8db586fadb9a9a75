package dev.fairlead.service.http;

import java.util.Optional;

/**
 * Who sends a request.
 *
 * @param name of the token; for the record of changes
 * @param tenant whose jobs it may change; empty for all
 */
public record Caller(String name, Role role, Optional<String> tenant) {
  /** A caller without a token, who may ask only what anyone may. */
  public static final Caller UNKNOWN = new Caller("unknown", Role.ANYONE, Optional.empty());

  /** Whether the jobs of a tenant are this caller's to change. */
  public boolean owns(String other) {
    return role.includes(Role.ADMIN) || tenant.filter(other::equals).isPresent();
  }
}

package dev.fairlead.compute.driver;

/** An error of a driver in its own words, such as {@code CL_OUT_OF_RESOURCES} and −5. */
public record DriverError(String driver, String function, int code, String name) {
  @Override
  public String toString() {
    return "%s: %s failed with %s (%d)".formatted(driver, function, name, code);
  }
}

package dev.fairlead.device;

/** Work that runs on one of a device's own threads, its context bound there. */
@FunctionalInterface
public interface DeviceWork<R, X extends Exception> {
  R run(Slot slot) throws X;
}

package dev.fairlead.device;

/** Where the contexts of devices live. */
public enum Isolation {
  /** In this process. An error that poisons it for a device does so until it ends. */
  NONE,
  /** In a child process for each device, which is replaced with the context. */
  PROCESS
}

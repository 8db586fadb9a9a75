package dev.fairlead.doctor.check;

import dev.fairlead.doctor.host.Machine;
import dev.fairlead.media.settings.EncoderKind;
import java.util.Locale;

/** What to do about what FFmpeg and drivers say. */
final class Remedies {
  private Remedies() {}

  static String ofEncoder(EncoderKind kind, String reason, Machine machine) {
    String said = reason.toLowerCase(Locale.ROOT);
    if (said.contains("minimum required nvidia driver") || said.contains("api version")) {
      return "Install a newer driver of NVIDIA: 610 or later";
    }
    if (said.contains("cannot load libnvidia-encode")) {
      return machine.isContainer()
          ? "Start the container with -e NVIDIA_DRIVER_CAPABILITIES=compute,utility,video"
          : "Install the driver's library: apt-get install libnvidia-encode1";
    }
    if (said.contains("cannot load libcuda")) {
      return "Install the driver: apt-get install libcuda1";
    }
    if (said.contains("openencodesessionex failed")) {
      return "Others hold all encoder sessions of this machine: end them and look again";
    }
    if (kind.isVaapi() && said.contains("opening vaapi")) {
      return "Install the driver of VAAPI (intel-media-va-driver or mesa-va-drivers) and join the"
          + " group render";
    }
    if (said.contains("worker process ended")) {
      return "The driver crashed: update it, and report what is above";
    }
    if (said.contains("no sign of progress")) {
      return "The driver hangs: update it, or restart the machine";
    }
    return "Look into dmesg; if the driver is current, report what is above";
  }
}

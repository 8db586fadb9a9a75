package dev.fairlead.cli;

import java.nio.file.Path;
import tools.jackson.databind.node.ObjectNode;

/**
 * A transcode that a service is to do.
 *
 * @param input a file of this machine
 * @param output a directory of this machine
 * @param job what is to be made of it, as the service takes it, but for the input
 * @param replaces whether other files may be replaced in the output
 */
record RemoteOrder(Path input, Path output, ObjectNode job, boolean replaces) {
  /** What people call it. */
  String name() {
    return String.valueOf(input.getFileName());
  }
}

package dev.fairlead.cli;

import dev.fairlead.policy.Priority;
import dev.fairlead.service.http.JsonBody;
import dev.fairlead.service.http.Words;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.node.ObjectNode;

/** Which options of a transcode hold for one at a service, and what that is told. */
final class RemoteOptions {
  private static final Set<String> OF_BOTH =
      Set.of(
          "--at",
          "--output",
          "--json",
          "--verbose",
          "--priority",
          "--restart",
          "--format",
          "--ladder",
          "--codec",
          "--preset",
          "--crf",
          "--maxrate",
          "--segment",
          "--audio",
          "--max-fps",
          "--start",
          "--end",
          "--deinterlace",
          "--hdr",
          "--mix");

  private RemoteOptions() {}

  /**
   * Makes sure that no option was given that the service decides.
   *
   * @throws IllegalArgumentException if one was
   */
  static void check(CommandSpec spec) {
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptionsSet()) {
      if (!OF_BOTH.contains(option.longestName())) {
        throw new IllegalArgumentException(
            "%s is for a transcode of this machine; with --at the service decides that"
                .formatted(option.longestName()));
      }
    }
  }

  static List<RemoteOrder> orders(
      Map<Path, Path> outputs, LadderOptions ladder, Priority priority) {
    ObjectNode job = JsonBody.MAPPER.createObjectNode().put("priority", Words.of(priority));
    job.set("options", JsonBody.MAPPER.valueToTree(ladder.options()));
    return outputs.entrySet().stream()
        .map(each -> new RemoteOrder(each.getKey(), each.getValue(), job, ladder.isRestart()))
        .toList();
  }
}

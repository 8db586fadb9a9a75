package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.report.Html;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A page in a window of Chromium that is as narrow as a phone. */
final class TestingWindow {
  private static final int SECONDS = 120;
  private static final Pattern MEASURED = Pattern.compile("#([^#=]+)=([0-9]+)#");

  /** A frame is as wide as it is told to be; a window of Chromium is not. */
  private static final String FRAME =
      """
      <!doctype html><iframe id="page" style="width:WIDTHpx;height:900px;border:0" srcdoc="PAGE"></iframe>
      <pre id="out"></pre>
      <script>
      page.onload = () => {
        const tables = [...page.contentDocument.querySelectorAll('table')];
        out.textContent = tables.map(table =>
          '#' + table.closest('section').querySelector('h2').textContent + '='
            + Math.ceil(table.getBoundingClientRect().right) + '#').join(' ');
      };
      </script>
      """;

  private TestingWindow() {}

  /** Where each table ends, by its heading, in pixels from the left. */
  static Map<String, Integer> tables(String page, int width, Path directory) throws Exception {
    Path outer =
        Files.writeString(
            directory.resolve("outer.html"),
            FRAME.replace("WIDTH", String.valueOf(width)).replace("PAGE", Html.escape(page)));
    Path dom = directory.resolve("dom.html");
    Process chromium =
        new ProcessBuilder(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + directory.resolve("profile"),
                "--virtual-time-budget=5000",
                "--dump-dom",
                outer.toUri().toString())
            .redirectOutput(dom.toFile())
            .redirectError(directory.resolve("chromium.log").toFile())
            .start();
    try {
      assertThat(chromium.waitFor(SECONDS, TimeUnit.SECONDS)).as("Chromium ends").isTrue();
    } finally {
      for (ProcessHandle each : List.copyOf(chromium.descendants().toList())) {
        each.destroyForcibly();
      }
      chromium.destroyForcibly();
    }
    Map<String, Integer> ends = new LinkedHashMap<>();
    String shown = Files.readString(dom);
    Matcher measured = MEASURED.matcher(shown.substring(shown.lastIndexOf("</iframe>")));
    while (measured.find()) {
      ends.put(measured.group(1), Integer.parseInt(measured.group(2)));
    }
    return ends;
  }
}

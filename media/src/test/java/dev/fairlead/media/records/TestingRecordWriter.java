package dev.fairlead.media.records;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A process that creates entry after entry, and says which it has won once that is durable. */
final class TestingRecordWriter {
  private TestingRecordWriter() {}

  public static void main(String[] arguments) {
    Records records = DirectoryRecords.open(Path.of(arguments[0]));
    byte[] content = arguments[1].getBytes(StandardCharsets.UTF_8);
    for (long number = 1; ; number++) {
      String name = "jobs/a/" + RecordName.number(number);
      if (records.create(name, content) == Records.Owner.MINE) {
        System.out.println(name + " " + arguments[1]);
        System.out.flush();
      }
    }
  }

  static Process start(Path root, String content) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:-UsePerfData",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path", "").replace("\"", ""),
            TestingRecordWriter.class.getName(),
            root.toString(),
            content)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}

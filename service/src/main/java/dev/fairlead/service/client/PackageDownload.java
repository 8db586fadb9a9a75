package dev.fairlead.service.client;

import dev.fairlead.service.file.Sha256;
import dev.fairlead.service.http.Watch;
import dev.fairlead.service.job.Artifacts.Artifact;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * Brings the files of a job into a directory. A file comes under a temporary name, where it goes on
 * after an interruption, and has its own name only when its SHA-256 is right. What others refer to
 * comes first, so that no playlist names a file that is not there.
 */
final class PackageDownload {
  private static final Duration TO_BEGIN = Duration.ofSeconds(60);
  private static final Duration SILENCE = Duration.ofSeconds(45);
  private static final int PIECE = 1 << 16;
  private static final int PARTIAL = 206;
  private static final int RANGE = 416;
  private static final String PLAYLIST = ".m3u8";

  private final Exchange exchange;
  private final String job;
  private final Path directory;
  private final boolean replaces;

  /**
   * The files of a job.
   *
   * @param replaces whether other files of the same names may be replaced
   */
  PackageDownload(Exchange exchange, String job, Path directory, boolean replaces) {
    this.exchange = exchange;
    this.job = job;
    this.directory = directory;
    this.replaces = replaces;
  }

  /**
   * Brings all.
   *
   * @throws OtherFile if another file is in the way
   */
  void fetch(List<Artifact> artifacts, Moved moved) throws InterruptedException {
    long of = artifacts.stream().mapToLong(Artifact::bytes).sum();
    long now = 0;
    try {
      for (Artifact artifact : artifacts.stream().sorted(order()).toList()) {
        fetch(artifact);
        now += artifact.bytes();
        moved.bytes(now, of);
      }
    } catch (IOException disk) {
      throw new UncheckedIOException(disk);
    }
  }

  /** Playlists last, and of those the ones of the top last of all. */
  private static Comparator<Artifact> order() {
    return Comparator.comparing((Artifact each) -> each.path().endsWith(PLAYLIST))
        .thenComparing(each -> each.path().endsWith(PLAYLIST) && !each.path().contains("/"))
        .thenComparing(Artifact::path);
  }

  private void fetch(Artifact artifact) throws IOException, InterruptedException {
    Path file = place(artifact.path());
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      if (Files.isRegularFile(file)
          && Files.size(file) == artifact.bytes()
          && Sha256.of(file).equals(artifact.sha256())) {
        return;
      }
      if (!replaces) {
        throw new OtherFile(file);
      }
    }
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Path part = file.resolveSibling("." + file.getFileName() + ".part");
    bytes(artifact, part);
    if (!Sha256.of(part).equals(artifact.sha256())) {
      Files.delete(part); // what an earlier run left was of another file
      bytes(artifact, part);
      if (!Sha256.of(part).equals(artifact.sha256())) {
        Files.delete(part);
        throw new ServiceException.Garbled(
            "%s of job %s came with other bytes than the service says it has"
                .formatted(artifact.path(), job));
      }
    }
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Below the directory, whatever the server says. */
  private Path place(String path) {
    try {
      Path relative = Path.of(path);
      if (!path.isBlank()
          && !relative.isAbsolute()
          && relative.normalize().equals(relative)
          && !relative.startsWith("..")) {
        return directory.resolve(relative);
      }
    } catch (InvalidPathException malformed) {
      // Said below.
    }
    throw new ServiceException.Garbled("The service names a file \"%s\"".formatted(path));
  }

  /** Writes what is missing of a file. */
  private void bytes(Artifact artifact, Path part) throws IOException, InterruptedException {
    Absence absence = exchange.absence();
    try (FileChannel out =
        FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (out.size() > artifact.bytes()) {
        out.truncate(0);
      }
      out.position(out.size());
      while (out.position() < artifact.bytes()) {
        HttpResponse<InputStream> answer;
        try {
          answer = exchange.open(request(artifact, out.position()));
        } catch (ServiceException.Refused refused) {
          if (refused.status() == RANGE) {
            throw new ServiceException.Garbled(
                "%s of job %s has changed at the service; try again"
                    .formatted(artifact.path(), job));
          }
          throw refused;
        } catch (IOException away) {
          absence.await(away, 0);
          continue;
        }
        if (answer.statusCode() != PARTIAL) {
          out.truncate(0).position(0);
        }
        IOException lost = copy(answer.body(), out, artifact.bytes());
        if (out.position() < artifact.bytes()) {
          absence.await(lost, 0);
        }
      }
    }
  }

  /** Copies until one side has no more; gives why it ended. */
  private static IOException copy(InputStream in, FileChannel out, long most) throws IOException {
    byte[] piece = new byte[PIECE];
    try (in;
        Watch watch = Watch.of(in, SILENCE)) {
      while (out.position() < most) {
        int read;
        try {
          read = in.read(piece, 0, (int) Math.min(PIECE, most - out.position()));
        } catch (IOException lost) {
          return lost;
        }
        if (read < 0) {
          break;
        }
        watch.heard();
        for (ByteBuffer rest = ByteBuffer.wrap(piece, 0, read); rest.hasRemaining(); ) {
          out.write(rest);
        }
      }
    }
    return new IOException("a file ended early");
  }

  private HttpRequest request(Artifact artifact, long from) {
    StringBuilder path = new StringBuilder("/v1/jobs/").append(job).append("/artifacts");
    for (Path step : Path.of(artifact.path())) {
      path.append('/')
          .append(URLEncoder.encode(step.toString(), StandardCharsets.UTF_8).replace("+", "%20"));
    }
    HttpRequest.Builder request = exchange.request(path.toString(), TO_BEGIN);
    return from == 0 ? request.build() : request.header("Range", "bytes=" + from + "-").build();
  }
}

package dev.fairlead.service.client;

import dev.fairlead.service.file.Sha256;
import dev.fairlead.service.upload.Uploads.Upload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.UUID;
import tools.jackson.core.JacksonException;

/**
 * Sends a file in pieces. Its upload is named by the SHA-256 of its bytes: what has come is never
 * sent again, not by another command either, and bytes that somebody else put under that name are
 * found by the hash that the server answers.
 */
final class FileSending {
  private static final int PIECE = 4 << 20;
  private static final Duration TO_LOOK = Duration.ofMinutes(10);
  private static final Duration TO_SEND = Duration.ofMinutes(10);
  private static final int TOO_SLOW = 408;
  private static final int CONFLICT = 409;
  private static final int OWN_NAME = 27;

  private final Exchange exchange;
  private final Path file;
  private final Moved moved;

  FileSending(Exchange exchange, Path file, Moved moved) {
    this.exchange = exchange;
    this.file = file;
    this.moved = moved;
  }

  /** Sends what the server does not have; gives the id of the upload. */
  String send() throws InterruptedException {
    try {
      String hash = Sha256.of(file);
      if (hash.equals(whole(hash))) {
        return hash;
      }
      String other = hash.substring(0, OWN_NAME) + "-" + UUID.randomUUID();
      if (hash.equals(whole(other))) {
        return other;
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    throw new ServiceException.Garbled(
        "%s came to the service with other bytes; has it changed while it was sent?"
            .formatted(file));
  }

  /** Makes an upload whole; gives the hash of what the server has. */
  private String whole(String id) throws IOException, InterruptedException {
    String path = "/v1/uploads/" + id;
    Upload there = exchange.read(exchange.request(path, TO_LOOK).build(), Upload.class);
    try (FileChannel bytes = FileChannel.open(file)) {
      Absence busy = exchange.absence();
      while (there.sha256().isEmpty()) {
        moved.bytes(there.offset(), bytes.size());
        HttpResponse<byte[]> answer = exchange.send(piece(path, bytes, there.offset()));
        OptionalLong offset = answer.headers().firstValueAsLong("Upload-Offset");
        if (Exchange.isGood(answer.statusCode())) {
          there = read(answer.body());
          busy.over();
        } else if (isOtherwise(answer) && offset.isPresent()) {
          there = new Upload(id, offset.getAsLong(), there.sha256());
          busy.await(new IOException("it takes no bytes of " + file), 0);
        } else if (answer.statusCode() == CONFLICT) {
          busy.await(new IOException("another program sends " + file), 0);
          there = exchange.read(exchange.request(path, TO_LOOK).build(), Upload.class);
        } else {
          throw exchange.refused(answer.statusCode(), answer.body());
        }
      }
      moved.bytes(bytes.size(), bytes.size());
    }
    return there.sha256().orElseThrow();
  }

  /** The server has other bytes than this side thought, or lost some on the way. */
  private static boolean isOtherwise(HttpResponse<byte[]> answer) {
    return answer.statusCode() == CONFLICT || answer.statusCode() == TOO_SLOW;
  }

  private static Upload read(byte[] body) {
    try {
      return Exchange.JSON.readValue(body, Upload.class);
    } catch (JacksonException foreign) {
      throw new ServiceException.Garbled("The answer to an upload cannot be read");
    }
  }

  private HttpRequest piece(String path, FileChannel bytes, long from) throws IOException {
    long size = bytes.size();
    ByteBuffer piece = ByteBuffer.allocate(Math.clamp(size - from, 0, PIECE));
    while (piece.hasRemaining() && bytes.read(piece, from + piece.position()) >= 0) {
      // Reads on.
    }
    if (piece.hasRemaining() || piece.position() == 0) {
      throw new IOException("%s has become shorter, or is empty".formatted(file));
    }
    return exchange
        .request(path, TO_SEND)
        .header("Content-Type", "application/octet-stream")
        .header(
            "Content-Range", "bytes %d-%d/%d".formatted(from, from + piece.position() - 1, size))
        .PUT(HttpRequest.BodyPublishers.ofByteArray(piece.array()))
        .build();
  }
}

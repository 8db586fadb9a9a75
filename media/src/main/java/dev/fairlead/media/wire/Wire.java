package dev.fairlead.media.wire;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Messages of one sealed family each way, a JSON object a line. What arrives can only become one of
 * the family's records.
 *
 * <p>A channel is closed for all threads when one is interrupted while it writes. So one thread
 * that is never interrupted does all the writing, in the order of sending.
 */
public final class Wire<I, O> implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Ends the thread that writes. */
  private static final byte[] LAST = {};

  private final SocketChannel channel;
  private final Map<String, Class<?>> family;
  private final BufferedReader in;
  private final OutputStream out;
  private final LinkedBlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>();
  private final Runnable broken;

  /**
   * A wire over a channel.
   *
   * @param broken run when what was sent cannot be written
   */
  public Wire(SocketChannel channel, Class<I> incoming, Runnable broken) {
    this.channel = channel;
    this.broken = broken;
    this.family =
        leaves(incoming).collect(Collectors.toMap(Class::getSimpleName, Function.identity()));
    this.in =
        new BufferedReader(
            new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
    this.out = Channels.newOutputStream(channel);
    Thread.ofPlatform().daemon().name("wire").start(this::write);
  }

  private static Stream<Class<?>> leaves(Class<?> family) {
    return family.isSealed()
        ? Stream.of(family.getPermittedSubclasses()).flatMap(Wire::leaves)
        : Stream.of(family);
  }

  /** Sends a message after those before it; does not wait until it is written. */
  public void send(O message) {
    outgoing.add(
        JSON.writeValueAsBytes(Map.of("is", message.getClass().getSimpleName(), "body", message)));
  }

  private void write() {
    try {
      for (byte[] line = outgoing.take(); line.length > 0; line = outgoing.take()) {
        out.write(line);
        out.write('\n');
        out.flush();
      }
    } catch (IOException | InterruptedException gone) {
      broken.run();
    }
  }

  /** The next message; null if none comes any more. */
  @SuppressWarnings("unchecked") // the family holds nothing else
  @Nullable
  public I receive() throws IOException {
    String line = in.readLine();
    if (line == null) {
      return null;
    }
    try {
      JsonNode envelope = JSON.readTree(line);
      Class<?> type = family.get(envelope.path("is").asString(""));
      if (type == null) {
        throw new IOException("A message of no known kind: " + envelope.path("is"));
      }
      return (I) JSON.treeToValue(envelope.get("body"), type);
    } catch (JacksonException garbled) {
      throw new IOException("A message that cannot be read: " + garbled.getMessage(), garbled);
    }
  }

  @Override
  public void close() throws IOException {
    outgoing.add(LAST);
    channel.close();
  }
}

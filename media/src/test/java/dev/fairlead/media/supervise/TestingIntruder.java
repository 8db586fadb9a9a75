package dev.fairlead.media.supervise;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A process that tries what a worker must not do, and says what it could. */
public final class TestingIntruder {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private TestingIntruder() {}

  private interface Deed {
    void run() throws Exception;
  }

  /**
   * Takes a folder that it may write, one that it may not, a port and a process; without any it
   * tries nothing and waits to be killed.
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 0) {
      boolean _ = Thread.currentThread().join(MINUTE);
      return;
    }
    Path allowed = Path.of(arguments[0]);
    Path forbidden = Path.of(arguments[1]);
    int port = Integer.parseInt(arguments[2]);
    long victim = Long.parseLong(arguments[3]);
    attempt("wrote inside", () -> Files.writeString(allowed.resolve("mine"), "x"));
    attempt("wrote outside", () -> Files.writeString(forbidden.resolve("mine"), "x"));
    attempt("changed a file", () -> Files.writeString(forbidden.resolve("theirs"), "x"));
    attempt("deleted a file", () -> Files.delete(forbidden.resolve("theirs")));
    attempt("read a file", () -> Files.readString(forbidden.resolve("theirs")));
    attempt("connected", () -> new Socket(InetAddress.getLoopbackAddress(), port).close());
    attempt("started a program", () -> new ProcessBuilder("/bin/true").start().waitFor());
    attempt(
        "signalled a process",
        () -> {
          if (!ProcessHandle.of(victim).orElseThrow().destroy()) {
            throw new IOException("refused");
          }
        });
    System.getenv().keySet().forEach(name -> System.out.println("saw " + name));
  }

  private static void attempt(String what, Deed deed) {
    try {
      deed.run();
      System.out.println(what);
    } catch (Exception refused) {
      System.out.println("not: " + what);
    }
  }
}

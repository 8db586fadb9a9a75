package dev.fairlead.opencl;

import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** What one of OpenCL's many questions answers: bytes, of a length that is asked for first. */
final class ClInfo {

  /** A question about one thing: a size for the answer, where it goes, where its size goes. */
  interface Question {
    int ask(long size, MemorySegment answer, MemorySegment length) throws Throwable;
  }

  private ClInfo() {}

  /** The answer as bytes; throws where there is none. */
  static MemorySegment bytes(String function, Arena arena, Question question) {
    MemorySegment length = arena.allocate(C.SIZE);
    check(function, Downcall.number(() -> question.ask(0, MemorySegment.NULL, length)));
    MemorySegment answer = arena.allocate(Math.max(8, length.get(C.SIZE, 0)), 8);
    long size = length.get(C.SIZE, 0);
    check(function, Downcall.number(() -> question.ask(size, answer, MemorySegment.NULL)));
    return answer;
  }

  static String text(String function, Question question) {
    try (Arena arena = Arena.ofConfined()) {
      return C.text(bytes(function, arena, question)).strip();
    }
  }

  static long number(String function, Question question) {
    try (Arena arena = Arena.ofConfined()) {
      return bytes(function, arena, question).get(ValueLayout.JAVA_LONG, 0);
    }
  }

  /** The answer as a number of 32 bits. */
  static int small(String function, Question question) {
    return (int) number(function, question);
  }

  /** What newer drivers or extensions answer, as bytes. */
  static Optional<byte[]> optional(Question question) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment length = arena.allocate(C.SIZE);
      if (Downcall.number(() -> question.ask(0, MemorySegment.NULL, length)) != 0) {
        return Optional.empty();
      }
      long size = length.get(C.SIZE, 0);
      MemorySegment answer = arena.allocate(Math.max(1, size), 8);
      return Downcall.number(() -> question.ask(size, answer, MemorySegment.NULL)) == 0
          ? Optional.of(answer.toArray(ValueLayout.JAVA_BYTE))
          : Optional.empty();
    }
  }

  private static void check(String function, int code) {
    ClCodes.CALLS.check(function, code);
  }
}

package dev.fairlead.nativecode;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** The types of C as 64-bit systems lay them out, and its strings. */
public final class C {
  public static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
  public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  /** {@code size_t}, and handles that are passed as numbers. */
  public static final ValueLayout.OfLong SIZE = ValueLayout.JAVA_LONG;

  public static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;
  public static final AddressLayout POINTER = ValueLayout.ADDRESS;

  private C() {}

  /** The text in a buffer that a library has filled: up to the first zero, or all of it. */
  public static String text(MemorySegment buffer) {
    long length = 0;
    while (length < buffer.byteSize() && buffer.get(ValueLayout.JAVA_BYTE, length) != 0) {
      length++;
    }
    byte[] bytes = buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The text behind a pointer that a library has returned; empty for a null pointer. */
  @SuppressWarnings("restricted") // reads up to the zero that ends the text
  public static String textAt(MemorySegment pointer, long longest) {
    return pointer.address() == 0 ? "" : text(pointer.reinterpret(longest));
  }
}

package dev.fairlead.compute;

import dev.fairlead.compute.driver.Parameter.Form;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What is given to a kernel in one place: a buffer, a value, or a size of local memory. */
public sealed interface Argument permits DeviceBuffer, Argument.Value, Argument.Local {

  /** Local memory of a group. */
  record Local(long bytes) implements Argument {
    public Local {
      if (bytes < 1) {
        throw new IllegalArgumentException("Local memory has at least one byte: " + bytes);
      }
    }

    @Override
    public String toString() {
      return bytes + " bytes of local memory";
    }
  }

  /** A value: its bytes as the device wants them, and what they mean. */
  final class Value implements Argument {
    private final byte[] bytes;
    private final Form form;
    private final String type;

    private Value(byte[] bytes, Form form, String type) {
      this.bytes = bytes;
      this.form = form;
      this.type = type;
    }

    byte[] bytes() {
      return bytes;
    }

    Form form() {
      return form;
    }

    @Override
    public String toString() {
      return type + " (" + bytes.length + " bytes)";
    }
  }

  static Value of(int value) {
    return new Value(room(Integer.BYTES).putInt(value).array(), Form.INTEGER, "an int");
  }

  static Value of(long value) {
    return new Value(room(Long.BYTES).putLong(value).array(), Form.INTEGER, "a long");
  }

  static Value of(float value) {
    return new Value(room(Float.BYTES).putFloat(value).array(), Form.FLOATING, "a float");
  }

  static Value of(double value) {
    return new Value(room(Double.BYTES).putDouble(value).array(), Form.FLOATING, "a double");
  }

  /** A structure or vector as the program lays it out. */
  static Value of(byte[] structure) {
    return new Value(structure.clone(), Form.ANY, "a structure");
  }

  static Local local(long bytes) {
    return new Local(bytes);
  }

  private static ByteBuffer room(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
  }
}

package dev.fairlead.examples;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A small model in the format of ONNX, written without its library: {@code y = x · factor +
 * summand} for vectors of any length. The numbers are those of the fields in {@code onnx.proto}.
 */
final class OnnxModel {
  static final String INPUT = "x";

  private static final int IR_VERSION = 8;
  private static final int OPSET = 13;
  private static final int FLOAT = 1;

  private OnnxModel() {}

  static byte[] linear(float factor, float summand) {
    Message graph =
        new Message()
            .message(1, node("Mul", INPUT, "factor", "scaled"))
            .message(1, node("Add", "scaled", "summand", "y"))
            .text(2, "linear")
            .message(5, scalar("factor", factor))
            .message(5, scalar("summand", summand))
            .message(11, vector(INPUT))
            .message(12, vector("y"));
    return new Message()
        .number(1, IR_VERSION)
        .message(7, graph)
        .message(8, new Message().text(1, "").number(2, OPSET))
        .bytes();
  }

  private static Message node(String operator, String left, String right, String output) {
    return new Message().text(1, left).text(1, right).text(2, output).text(4, operator);
  }

  private static Message scalar(String name, float value) {
    byte[] raw =
        ByteBuffer.allocate(Float.BYTES).order(ByteOrder.LITTLE_ENDIAN).putFloat(value).array();
    return new Message().number(2, FLOAT).text(8, name).bytes(9, raw);
  }

  /** A value of one dimension, whose length is left open. */
  private static Message vector(String name) {
    Message shape = new Message().message(1, new Message().text(2, "n"));
    Message tensor = new Message().number(1, FLOAT).message(2, shape);
    return new Message().text(1, name).message(2, new Message().message(1, tensor));
  }

  /** A message in the wire format of protocol buffers. */
  private static final class Message {
    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Message number(int field, int value) {
      varint((field << 3) | VARINT);
      varint(value);
      return this;
    }

    Message text(int field, String value) {
      return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    Message message(int field, Message value) {
      return bytes(field, value.bytes());
    }

    Message bytes(int field, byte[] value) {
      varint((field << 3) | LENGTH_DELIMITED);
      varint(value.length);
      out.writeBytes(value);
      return this;
    }

    byte[] bytes() {
      return out.toByteArray();
    }

    private void varint(int value) {
      int left = value;
      while (left > 0x7F) {
        out.write((left & 0x7F) | 0x80);
        left >>>= 7;
      }
      out.write(left);
    }
  }
}

package dev.fairlead.media.job;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Ways in which files are damaged, each drawn by chance. */
enum TestingDamage {
  FLIPS {
    @Override
    byte[] to(byte[] file, SplittableRandom random) {
      byte[] damaged = file.clone();
      for (int i = 1 + random.nextInt(30); i > 0; i--) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      return damaged;
    }
  },
  CUT {
    @Override
    byte[] to(byte[] file, SplittableRandom random) {
      if (random.nextBoolean()) {
        return Arrays.copyOf(file, random.nextInt(file.length));
      }
      int from = random.nextInt(file.length);
      int to = from + random.nextInt(file.length - from);
      return joined(Arrays.copyOf(file, from), Arrays.copyOfRange(file, to, file.length));
    }
  },
  NOISE {
    @Override
    byte[] to(byte[] file, SplittableRandom random) {
      byte[] damaged = file.clone();
      int from = random.nextInt(file.length);
      byte[] noise = new byte[Math.min(file.length - from, 1 + random.nextInt(5_000))];
      random.nextBytes(noise);
      System.arraycopy(noise, 0, damaged, from, noise.length);
      return damaged;
    }
  },
  LIES {
    @Override
    byte[] to(byte[] file, SplittableRandom random) {
      ByteBuffer damaged = ByteBuffer.wrap(file.clone());
      List<Integer> boxes = boxes(file);
      int at =
          boxes.isEmpty()
              ? random.nextInt(file.length - 4)
              : boxes.get(random.nextInt(boxes.size()));
      // The size of a box, or a number in it.
      at = Math.min(file.length - 4, at + (random.nextBoolean() ? 0 : 8 + 4 * random.nextInt(12)));
      int before = damaged.getInt(at);
      int[] lies = {0, 1, 7, before - 1, before + 1, before * 2, 0x7fffffff, -1, random.nextInt()};
      return damaged.putInt(at, lies[random.nextInt(lies.length)]).array();
    }
  },
  SWAP {
    @Override
    byte[] to(byte[] file, SplittableRandom random) {
      byte[] damaged = file.clone();
      int length = 1 + random.nextInt(file.length / 4);
      int one = random.nextInt(file.length - length);
      int other = random.nextInt(file.length - length);
      System.arraycopy(file, one, damaged, other, length);
      System.arraycopy(file, other, damaged, one, length);
      return damaged;
    }
  },
  REPEAT {
    @Override
    byte[] to(byte[] file, SplittableRandom random) {
      int from = random.nextInt(file.length);
      int to = from + random.nextInt(file.length - from);
      return joined(Arrays.copyOf(file, to), Arrays.copyOfRange(file, from, file.length));
    }
  },
  RENAME {
    @Override
    byte[] to(byte[] file, SplittableRandom random) {
      byte[] damaged = file.clone();
      List<Integer> boxes = boxes(file);
      int at =
          boxes.isEmpty()
              ? random.nextInt(file.length - 8)
              : boxes.get(random.nextInt(boxes.size()));
      String[] names = {"free", "moov", "trak", "stbl", "mdat", "encv", "zzzz", "\0\0\0\0"};
      byte[] name = names[random.nextInt(names.length)].getBytes(StandardCharsets.ISO_8859_1);
      System.arraycopy(name, 0, damaged, at + 4, 4);
      return damaged;
    }
  };

  abstract byte[] to(byte[] file, SplittableRandom random);

  private static byte[] joined(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  /** Where the boxes of an MP4 begin, outer ones and inner ones; none if it is no MP4. */
  private static List<Integer> boxes(byte[] file) {
    List<Integer> found = new ArrayList<>();
    if (new String(file, 4, 4, StandardCharsets.ISO_8859_1).equals("ftyp")) {
      boxes(ByteBuffer.wrap(file), 0, file.length, found);
    }
    return found;
  }

  private static void boxes(ByteBuffer file, int from, int to, List<Integer> found) {
    int at = from;
    while (at + 8 <= to) {
      int size = file.getInt(at);
      if (size < 8 || size > to - at) {
        return;
      }
      found.add(at);
      byte[] name = new byte[4];
      file.get(at + 4, name);
      if (List.of("moov", "trak", "mdia", "minf", "stbl", "edts", "moof", "traf", "mvex")
          .contains(new String(name, StandardCharsets.ISO_8859_1))) {
        boxes(file, at + 8, at + size, found);
      }
      at += size;
    }
  }
}

package dev.fairlead.media.av;

import dev.fairlead.nativecode.Binding;
import dev.fairlead.nativecode.C;
import dev.fairlead.nativecode.Downcall;
import dev.fairlead.nativecode.Symbols;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.OptionalLong;
import org.bytedeco.ffmpeg.avutil.AVBufferRef;
import org.bytedeco.ffmpeg.avutil.AVHWDeviceContext;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/**
 * How much memory of a card is free. FFmpeg does not ask its driver that, so it is asked here, in
 * the context that FFmpeg has opened.
 */
final class CardMemory {
  private CardMemory() {}

  private record Functions(MethodHandle enter, MethodHandle leave, MethodHandle memory) {
    static Functions of(Symbols driver) {
      return new Functions(
          driver.function("cuCtxPushCurrent_v2", C.INT, C.SIZE),
          driver.function("cuCtxPopCurrent_v2", C.INT, C.POINTER),
          driver.function("cuMemGetInfo_v2", C.INT, C.POINTER, C.POINTER));
    }
  }

  /** Bytes that are free on a device of CUDA; empty where its driver does not tell. */
  static OptionalLong free(AVBufferRef device) {
    Binding<Functions> driver = Binding.of(List.of("libcuda.so.1"), Functions::of);
    return driver instanceof Binding.Bound<Functions>(String _, Functions functions)
        ? free(context(device), functions)
        : OptionalLong.empty();
  }

  /** An AVCUDADeviceContext begins with its context. */
  private static long context(AVBufferRef device) {
    Pointer described = new AVHWDeviceContext(device.data()).hwctx();
    return new PointerPointer<Pointer>(described).get(0).address();
  }

  private static OptionalLong free(long context, Functions driver) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment free = arena.allocate(C.SIZE);
      MemorySegment total = arena.allocate(C.SIZE);
      MemorySegment left = arena.allocate(C.POINTER);
      if (Downcall.number(() -> (int) driver.enter.invokeExact(context)) != 0) {
        return OptionalLong.empty();
      }
      int answer = Downcall.number(() -> (int) driver.memory.invokeExact(free, total));
      int _ = Downcall.number(() -> (int) driver.leave.invokeExact(left));
      return answer == 0 ? OptionalLong.of(free.get(C.SIZE, 0)) : OptionalLong.empty();
    }
  }
}

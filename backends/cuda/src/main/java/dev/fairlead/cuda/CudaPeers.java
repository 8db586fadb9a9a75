package dev.fairlead.cuda;

import dev.fairlead.nativecode.Downcall;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * What a device reaches of others without the host. Reaching is asked for once for each context of
 * another device; those that are gone are forgotten.
 */
final class CudaPeers {
  private final Cu cu;
  private final CudaCalls calls;
  private final CudaDevice device;
  private final Map<CudaDriver, Boolean> known = new WeakHashMap<>();

  CudaPeers(Cu cu, CudaCalls calls, CudaDevice device) {
    this.cu = cu;
    this.calls = calls;
    this.device = device;
  }

  /** Whether the context that is current here reads the memory of another one; sees to it. */
  synchronized boolean reach(CudaDriver other) {
    Boolean answer = known.get(other);
    if (answer == null) {
      answer = new CudaDevices(cu).reaches(device, other.device()) && enable(other.context());
      known.put(other, answer);
    }
    return answer;
  }

  private boolean enable(long context) {
    int code = Downcall.number(() -> (int) cu.ctxEnablePeerAccess().invokeExact(context, 0));
    return switch (code) {
      case CudaCodes.PEER_ACCESS_ALREADY_ENABLED -> true; // by another library in the process
      case CudaCodes.PEER_ACCESS_UNSUPPORTED, CudaCodes.TOO_MANY_PEERS -> false;
      default -> {
        calls.check("cuCtxEnablePeerAccess", () -> code);
        yield true;
      }
    };
  }
}

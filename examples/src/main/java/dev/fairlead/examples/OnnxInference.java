package dev.fairlead.examples;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Discovery;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Inference with ONNX Runtime, placed by the pool: each device has a session of its own, and the
 * pool says which one answers. The sessions here are those of the CPU build, one thread each; with
 * a build for GPUs, the session of a device is opened on the GPU of that number.
 */
public final class OnnxInference {
  private OnnxInference() {}

  /** Asks a model that doubles and adds one. */
  public static void main(String[] none) throws Exception {
    List<float[]> answers =
        infer("cpu", OnnxModel.linear(2, 1), List.of(new float[] {1, 2}, new float[] {3}));
    answers.forEach(answer -> IO.println(Arrays.toString(answer)));
  }

  /** Runs the model on each input; answers in the order of the inputs. */
  public static List<float[]> infer(String devices, byte[] model, List<float[]> inputs)
      throws InterruptedException, OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (DevicePool pool = DevicePool.open(Discovery.find(devices), PoolOptions.usual());
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      Map<DeviceId, OrtSession> sessions = new HashMap<>();
      try {
        for (Device device : pool.devices()) {
          sessions.put(device.id(), open(environment, model));
        }
        return dispatcher
            .distribute(
                inputs,
                Demand.of("inference", 1),
                (input, slot) ->
                    run(
                        environment,
                        Objects.requireNonNull(sessions.get(slot.device().id())),
                        input))
            .stream()
            .map(Outcome::orThrow)
            .toList();
      } finally {
        for (OrtSession session : sessions.values()) {
          session.close();
        }
      }
    }
  }

  private static OrtSession open(OrtEnvironment environment, byte[] model) throws OrtException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      return environment.createSession(model, options);
    }
  }

  private static float[] run(OrtEnvironment environment, OrtSession session, float[] input)
      throws OrtException {
    try (OnnxTensor tensor = OnnxTensor.createTensor(environment, input);
        OrtSession.Result result = session.run(Map.of(OnnxModel.INPUT, tensor))) {
      return (float[]) result.get(0).getValue();
    }
  }
}

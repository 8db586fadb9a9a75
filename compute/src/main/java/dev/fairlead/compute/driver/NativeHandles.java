package dev.fairlead.compute.driver;

/**
 * The driver's own objects behind a context, for other libraries that are used under a lease. They
 * are good as long as the context; whoever uses them must not release them.
 *
 * @param platform an OpenCL platform; zero where drivers know none
 * @param device {@code cl_device_id} or {@code CUdevice}
 * @param context {@code cl_context} or {@code CUcontext}
 */
public record NativeHandles(String driver, long platform, long device, long context) {}

package dev.fairlead.pool;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The product loaded anew with something woven in: a count of its steps, a clock that runs only
 * when it waits, or a place where a thread is held. For what cannot be seen from outside without a
 * look at the real clock. One at a time.
 */
public final class Woven extends ClassLoader {
  private static final ClassDesc HERE = ClassDesc.of(Woven.class.getName());
  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);
  private static final AtomicLong STEPS = new AtomicLong();
  private static final AtomicLong NANOS = new AtomicLong();
  private static volatile @Nullable Thread counted;
  private static volatile Seam seam = new Seam();

  private final String product =
      DevicePool.class.getProtectionDomain().getCodeSource().getLocation().toString();
  private final ClassTransform weft;

  private Woven(ClassTransform weft) {
    super(Woven.class.getClassLoader());
    this.weft = weft;
  }

  private static Woven everywhere(CodeTransform weft) {
    return new Woven(ClassTransform.transformingMethodBodies(weft));
  }

  /** A new one of a class of these tests, where it and all that it uses are woven. */
  private <T> T make(Class<? extends T> type) throws ReflectiveOperationException {
    var maker = loadClass(type.getName()).getDeclaredConstructor();
    maker.setAccessible(true);
    @SuppressWarnings("unchecked") // the same type, as far as its interface goes
    T made = (T) maker.newInstance();
    return made;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("dev.fairlead.") || name.startsWith(Woven.class.getName())) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    URL file = getParent().getResource(name.replace('.', '/') + ".class");
    if (file == null) {
      throw new ClassNotFoundException(name);
    }
    try (InputStream stream = file.openStream()) {
      byte[] plain = stream.readAllBytes();
      ClassFile tool = ClassFile.of();
      byte[] woven =
          file.toString().startsWith(product)
              ? tool.transformClass(tool.parse(plain), weft)
              : plain;
      return defineClass(name, woven, 0, woven.length);
    } catch (IOException failure) {
      throw new ClassNotFoundException(name, failure);
    }
  }

  // ---- steps

  /** Runs a class where steps are counted: calls of the product's methods, and jumps in them. */
  public static <T> T counting(Class<? extends T> type) throws ReflectiveOperationException {
    return everywhere(
            new CodeTransform() {
              @Override
              public void atStart(CodeBuilder builder) {
                builder.invokestatic(HERE, "step", NOTHING);
              }

              @Override
              public void accept(CodeBuilder builder, CodeElement element) {
                if (element instanceof BranchInstruction) {
                  builder.invokestatic(HERE, "step", NOTHING);
                }
                builder.with(element);
              }
            })
        .<T>make(type);
  }

  /** A step; called from what is woven. */
  public static void step() {
    if (Thread.currentThread().equals(counted)) {
      STEPS.incrementAndGet();
    }
  }

  /** How many steps of the product the current thread takes for something. */
  public static long stepsOf(Runnable body) {
    STEPS.set(0);
    counted = Thread.currentThread();
    try {
      body.run();
    } finally {
      counted = null;
    }
    return STEPS.get();
  }

  // ---- time

  /** Runs a class where the product's waits take no time: they add up, whoever waits. */
  public static <T> T timeless(Class<? extends T> type) throws ReflectiveOperationException {
    return everywhere(
            (builder, element) -> {
              if (!(element instanceof InvokeInstruction call) || !timeless(builder, call)) {
                builder.with(element);
              }
            })
        .<T>make(type);
  }

  private static boolean timeless(CodeBuilder builder, InvokeInstruction call) {
    MethodTypeDesc type = call.typeSymbol();
    switch (call.owner().asInternalName() + "." + call.name()) {
      case "java/lang/System.nanoTime" -> builder.invokestatic(HERE, "nanoTime", type);
      case "java/util/concurrent/locks/LockSupport.parkNanos" ->
          builder.invokestatic(HERE, "parkNanos", type);
      case "java/lang/Thread.join" -> {
        if (type.parameterCount() == 0) {
          return false;
        }
        builder.invokestatic(
            HERE, "join", type.insertParameterTypes(0, ClassDesc.of("java.lang.Thread")));
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  /** How long the product has waited for something in all, on every thread. */
  public static Duration waitedFor(Runnable body) {
    long before = NANOS.get();
    body.run();
    return Duration.ofNanos(NANOS.get() - before);
  }

  public static long nanoTime() {
    return NANOS.get();
  }

  public static void parkNanos(long nanos) {
    NANOS.addAndGet(Math.max(0, nanos));
  }

  public static void parkNanos(Object blocker, long nanos) {
    parkNanos(nanos);
  }

  public static boolean join(Thread thread, Duration patience) {
    if (thread.isAlive()) {
      parkNanos(patience.toNanos());
    }
    return !thread.isAlive();
  }

  // ---- places

  /** Where a thread is held until it is let go. */
  public static final class Seam {
    private final AtomicBoolean used = new AtomicBoolean();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    private volatile boolean armed = true;

    /** From now on threads are held. */
    public void arm() {
      armed = true;
    }

    public void awaitReached() {
      Eventually.open(reached);
    }

    public void letGo() {
      goOn.countDown();
    }
  }

  /** Runs a class where the first thread is held that comes to a field in a method. */
  public static <T> T heldBefore(String owner, String method, String field, Class<? extends T> type)
      throws ReflectiveOperationException {
    seam = new Seam();
    return new Woven(
            ClassTransform.transformingMethodBodies(
                each -> each.methodName().equalsString(method),
                (builder, element) -> {
                  if (element instanceof FieldInstruction access
                      && access.owner().asInternalName().endsWith("/" + owner)
                      && access.name().equalsString(field)) {
                    builder.invokestatic(HERE, "hold", NOTHING);
                  }
                  builder.with(element);
                }))
        .<T>make(type);
  }

  /** The same, but nobody is held before the seam is armed. */
  public static <T> T heldLater(String owner, String method, String field, Class<? extends T> type)
      throws ReflectiveOperationException {
    T made = Woven.<T>heldBefore(owner, method, field, type);
    seam.armed = false;
    return made;
  }

  public static Seam seam() {
    return seam;
  }

  /** Holds a thread, once; called from what is woven. */
  public static void hold() {
    Seam here = seam;
    if (here.armed && here.used.compareAndSet(false, true)) {
      here.reached.countDown();
      Eventually.open(here.goOn);
    }
  }
}

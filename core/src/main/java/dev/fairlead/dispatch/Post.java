package dev.fairlead.dispatch;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A device as the foreman sees it. Owned by the foreman. */
final class Post {
  /** How long a device that takes no more users is left alone: some may have left by then. */
  private static final long REFUSED_NANOS = 500_000_000;

  /** How long it may refuse all that it is given before that counts as failing. */
  private static final long REFUSES_NANOS = 60_000_000_000L;

  private final int number;
  private final List<UnitTry> tries = new ArrayList<>();
  private final BitSet struckOff = new BitSet();
  private Device device;
  private boolean present = true;
  private boolean serves;
  private boolean shared;
  private boolean resting;
  private boolean refusing;
  private long refusesSince;
  private boolean refused;
  private long refusedAt;

  Post(int number, Device device) {
    this.number = number;
    this.device = device;
  }

  int number() {
    return number;
  }

  DeviceId id() {
    return device.id();
  }

  Device device() {
    return device;
  }

  List<UnitTry> tries() {
    return tries;
  }

  BitSet struckOff() {
    return struckOff;
  }

  /**
   * Takes no more users at present, though a slot is free: it is left alone for a while.
   *
   * @return false if it has refused everything for too long
   */
  boolean refuses() {
    long now = System.nanoTime();
    refusesSince = refusing ? refusesSince : now;
    refusing = true;
    refused = true;
    refusedAt = now;
    return now - refusesSince < REFUSES_NANOS;
  }

  /** Has done something. */
  void succeeded() {
    refusing = false;
  }

  boolean hasFreeSlot() {
    refused = refused && System.nanoTime() - refusedAt < REFUSED_NANOS;
    if (refused) {
      return false;
    }
    int used = 0;
    for (UnitTry ride : tries) {
      used += ride.unit().demand().resources().slots();
    }
    return used < device.slots();
  }

  boolean isPresent() {
    return present;
  }

  void gone() {
    present = false;
    serves = false;
  }

  void is(Device now) {
    device = now;
    present = true;
  }

  boolean serves() {
    return serves;
  }

  void seen(boolean nowServes, int outstanding) {
    serves = nowServes;
    shared = outstanding > tries.size();
  }

  /** Others have work there as well. */
  boolean isShared() {
    return shared;
  }

  /** Was asked and has nothing to do, until something changes. */
  boolean isResting() {
    return resting;
  }

  void rests(boolean value) {
    resting = value;
  }
}

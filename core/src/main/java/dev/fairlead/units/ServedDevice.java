package dev.fairlead.units;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A device as the scheduler sees it. Owned by the scheduler. */
final class ServedDevice {
  /** How long it may refuse all that it is given before that counts as failing. */
  static final Duration REFUSES_AT_MOST = Duration.ofSeconds(60);

  private final int number;
  private final List<UnitAttempt> attempts = new ArrayList<>();
  private Device device;
  private boolean present = true;
  private boolean serves;
  private boolean shared;
  private boolean resting;
  private final SessionLimit limit = SessionLimit.ofSessions();
  private final SessionLimit memory = SessionLimit.ofMemory();
  private int refusals;
  private long refusesSince;
  private long ends;

  ServedDevice(int number, Device device) {
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

  List<UnitAttempt> attempts() {
    return attempts;
  }

  /** An attempt is over that the driver has not refused. */
  void ended() {
    ends++;
  }

  /** How many have ended here so far. */
  long ends() {
    return ends;
  }

  /** How many units it has memory for, as far as it has lacked some. */
  SessionLimit memory() {
    return memory;
  }

  /** How many units it takes at a time, as far as it has refused more. */
  SessionLimit limit() {
    return limit;
  }

  /**
   * Takes no more users at present, though a slot is free.
   *
   * @param explained whether units on other devices may have what it lacks
   * @return false if it has refused everything for too long
   */
  boolean refuses(boolean explained, long now) {
    refusesSince = refusals == 0 || explained ? now : refusesSince;
    refusals++;
    return now - refusesSince < REFUSES_AT_MOST.toNanos();
  }

  /** Has refused before, and done nothing since. */
  boolean refusedBefore() {
    return refusals > 1;
  }

  /** Has done something. */
  void succeeded() {
    refusals = 0;
  }

  boolean hasFreeSlot() {
    int used = 0;
    for (UnitAttempt attempt : attempts) {
      used += attempt.unit().demand().resources().slots();
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
    shared = outstanding > attempts.size();
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

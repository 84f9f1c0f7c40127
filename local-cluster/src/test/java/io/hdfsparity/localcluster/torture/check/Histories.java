/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.check;

import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Histories for tests, with times that are small numbers. */
final class Histories {
  private final List<Operation> operations = new ArrayList<>();
  private String object = "/f#1";

  private Histories add(OperationKind kind, String value, Outcome outcome, long begin, long end) {
    int number = operations.size();
    operations.add(new Operation(number, "c" + number, kind, object, value, outcome, begin, end));
    return this;
  }

  Histories of(String cell) {
    object = cell;
    return this;
  }

  Histories write(String value, long begin, long end) {
    return add(OperationKind.UPDATE, value, Outcome.OK, begin, end);
  }

  Histories unknown(String value, long begin, long end) {
    return add(OperationKind.UPDATE, value, Outcome.UNKNOWN, begin, end);
  }

  Histories read(String value, long begin, long end) {
    return add(OperationKind.UPDATER_READ, value, Outcome.OK, begin, end);
  }

  Histories stockRead(String value, long begin, long end) {
    return add(OperationKind.STOCK_READ, value, Outcome.OK, begin, end);
  }

  Histories fileWrite(String value, Outcome outcome, long begin, long end) {
    return add(OperationKind.FILE_WRITE, value, outcome, begin, end);
  }

  Histories fileRead(String value, long begin, long end) {
    return add(OperationKind.FILE_READ, value, Outcome.OK, begin, end);
  }

  List<Operation> list() {
    return List.copyOf(operations);
  }

  /**
   * What clients of a register see that works: each operation takes effect at a moment between its
   * begin and its end; one of unknown outcome at any moment after its begin, or never.
   *
   * @param slices of a cell; writes of different slices take effect at moments of their own
   */
  static List<Operation> simulated(Random random, int clients, int each, int slices) {
    record Plan(int client, boolean isWrite, boolean isUnknown, long begin, long end) {}
    List<Plan> plans = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      long now = 1 + random.nextInt(10);
      for (int i = 0; i < each; i++) {
        long end = now + 1 + random.nextInt(30);
        boolean isWrite = random.nextBoolean();
        plans.add(new Plan(client, isWrite, isWrite && random.nextInt(5) == 0, now, end));
        now = end + 1 + random.nextInt(10);
      }
    }
    String[][] found = new String[plans.size()][slices];
    for (int slice = 0; slice < slices; slice++) {
      record Effect(double at, int plan) {}
      List<Effect> effects = new ArrayList<>();
      for (int i = 0; i < plans.size(); i++) {
        Plan plan = plans.get(i);
        long latest = plan.isUnknown() ? plan.end() + 200 : plan.end();
        if (!plan.isUnknown() || random.nextInt(3) > 0) {
          effects.add(new Effect(plan.begin() + random.nextDouble() * (latest - plan.begin()), i));
        }
      }
      effects.sort(Comparator.comparingDouble(Effect::at));
      String now = "0.0";
      for (Effect effect : effects) {
        if (plans.get(effect.plan()).isWrite()) {
          now = "1." + effect.plan();
        }
        found[effect.plan()][slice] = now;
      }
    }
    Histories history = new Histories().write("0.0", 0, 0);
    for (int i = 0; i < plans.size(); i++) {
      Plan plan = plans.get(i);
      if (!plan.isWrite()) {
        history.read(Operation.joined(List.of(found[i])), plan.begin(), plan.end());
      } else if (plan.isUnknown()) {
        history.unknown("1." + i, plan.begin(), plan.end());
      } else {
        history.write("1." + i, plan.begin(), plan.end());
      }
    }
    return history.list();
  }

  /** A tiny history in which reads find anything: right or wrong by chance. */
  static List<Operation> tiny(Random random) {
    Histories history = new Histories().write("0.0", 0, 0);
    int count = 2 + random.nextInt(5);
    int writes = 0;
    boolean[] isWrite = new boolean[count];
    for (int i = 0; i < count; i++) {
      isWrite[i] = random.nextBoolean();
      writes += isWrite[i] ? 1 : 0;
    }
    int written = 0;
    for (int i = 0; i < count; i++) {
      long begin = 1 + random.nextInt(12);
      long end = begin + random.nextInt(6);
      if (!isWrite[i]) {
        history.read("0." + random.nextInt(writes + 1), begin, end);
      } else if (random.nextInt(4) == 0) {
        history.unknown("0." + ++written, begin, end);
      } else {
        history.write("0." + ++written, begin, end);
      }
    }
    return history.list();
  }
}

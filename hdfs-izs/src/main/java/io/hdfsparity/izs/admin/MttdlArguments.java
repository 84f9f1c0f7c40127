/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.SizesAndDurations;
import io.hdfsparity.core.cli.UsageException;
import io.hdfsparity.izs.availability.Rates;
import io.hdfsparity.izs.availability.RedundancySet;
import io.hdfsparity.izs.availability.RepairDiscipline;
import io.hdfsparity.izs.availability.StorageModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What {@code -mttdl} is asked for; what is not given has the paper's value.
 *
 * @param model empty when neither rates nor k come from it
 * @param rows sets to show
 * @param sets that fail independently of each other
 */
record MttdlArguments(
    Optional<StorageModel> model, Rates rates, RepairDiscipline repair, List<Row> rows, int sets) {
  /** A line of the table. */
  record Row(String name, RedundancySet set) {}

  static MttdlArguments of(Arguments a) throws UsageException {
    exclusive(a, "-mttf", "-diskMttf");
    exclusive(a, "-mttr", "-nodeSize");
    exclusive(a, "-mttr", "-bandwidth");
    exclusive(a, "-total", "-k");
    exclusive(a, "-n", "-k");
    exclusive(a, "-n", "-total");
    exclusive(a, "-n", "-r");
    if (a.value("-n").isPresent() != a.value("-tolerated").isPresent()) {
      throw new UsageException("-n and -tolerated need each other");
    }
    StorageModel paper = StorageModel.PAPER;
    double mttfHours =
        a.value("-diskMttf").isPresent()
            ? StorageModel.NODE_SHARE_OF_DISK_MTTF * hours(a, "-diskMttf", 0)
            : hours(a, "-mttf", paper.mttfHours());
    long nodeBytes = bytes(a, "-nodeSize", paper.nodeBytes());
    long bandwidth = bytes(a, "-bandwidth", paper.rebuildBytesPerHour());
    boolean modelled = a.value("-mttr").isEmpty();
    // Without -total, the paper's ratio Z / S = 4 stays when the nodes grow.
    long totalBytes =
        a.value("-total").isPresent()
            ? bytes(a, "-total", 0)
            : Math.multiplyExact(
                nodeBytes, a.value("-k").isPresent() ? count(a, "-k", 0) : paper.dataNodes());
    StorageModel model = new StorageModel(totalBytes, nodeBytes, bandwidth, mttfHours);
    Rates rates = new Rates(mttfHours, modelled ? model.mttrHours() : hours(a, "-mttr", 0));
    return new MttdlArguments(
        modelled && !a.value("-n").isPresent() ? Optional.of(model) : Optional.empty(),
        rates,
        repair(a),
        rows(a, model.dataNodes()),
        count(a, "-sets", 1));
  }

  private static List<Row> rows(Arguments a, int k) throws UsageException {
    List<Row> rows = new ArrayList<>();
    if (a.value("-n").isPresent()) {
      int n = count(a, "-n", 0);
      int tolerated = whole(a, "-tolerated", 0);
      rows.add(new Row(n + " nodes", new RedundancySet(n, tolerated)));
      return rows;
    }
    for (int r = 0; r <= whole(a, "-r", 3); r++) {
      rows.add(new Row("RS(" + (k + r) + "," + k + ")", RedundancySet.coded(k, r)));
    }
    return rows;
  }

  private static RepairDiscipline repair(Arguments a) throws UsageException {
    String word = a.value("-repair").orElse("concurrent");
    for (RepairDiscipline each : RepairDiscipline.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
        return each;
      }
    }
    throw new UsageException("-repair=" + word + ", expected concurrent, serial or parallel");
  }

  private static void exclusive(Arguments a, String one, String other) throws UsageException {
    if (a.value(one).isPresent() && a.value(other).isPresent()) {
      throw new UsageException(one + " and " + other + " exclude each other");
    }
  }

  private static double hours(Arguments a, String option, double unset) throws UsageException {
    Optional<String> text = a.value(option);
    if (text.isEmpty()) {
      return unset;
    }
    try {
      double hours = Double.parseDouble(text.get());
      if (hours > 0 && hours < Double.POSITIVE_INFINITY) {
        return hours;
      }
    } catch (NumberFormatException e) {
      throw wrong(option, text.get(), "hours, as 20000 or 0.5");
    }
    throw wrong(option, text.get(), "hours, as 20000 or 0.5");
  }

  private static long bytes(Arguments a, String option, long unset) {
    return a.value(option).map(text -> SizesAndDurations.parseBytes(option, text)).orElse(unset);
  }

  private static int count(Arguments a, String option, int unset) throws UsageException {
    int value = whole(a, option, unset);
    if (value < 1) {
      throw wrong(option, String.valueOf(value), "1 or more");
    }
    return value;
  }

  private static int whole(Arguments a, String option, int unset) throws UsageException {
    Optional<String> text = a.value(option);
    if (text.isPresent() && !text.get().matches("[0-9]{1,5}")) {
      throw wrong(option, text.get(), "a whole number from 0 to 99999");
    }
    return text.map(Integer::parseInt).orElse(unset);
  }

  private static UsageException wrong(String option, String value, String rule) {
    return new UsageException(option + "=" + value + ", expected " + rule);
  }
}

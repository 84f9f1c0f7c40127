/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapping;

import io.hdfsparity.izs.mapping.Advice.Verdict;
import io.hdfsparity.izs.mapping.MappingTable.Frequency;
import io.hdfsparity.izs.mapping.MappingTable.Importance;
import io.hdfsparity.izs.mapping.MappingTable.Rule;
import io.hdfsparity.izs.mapping.StorageForm.Coded;
import io.hdfsparity.izs.mapping.StorageForm.Raidp;
import io.hdfsparity.izs.mapping.StorageForm.Replicated;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Applies a rule table to files (the paper's Algorithm 1). Says nothing rather than something that
 * the counts do not bear out: when accesses may lack so that another form could be right, or were
 * watched too shortly, the verdict is {@link Verdict#UNDECIDED}. Immutable, thread-safe.
 */
public final class Advisor {
  private final MappingTable table;

  public Advisor(MappingTable table) {
    this.table = table;
  }

  /** What a file should be. */
  public Advice advise(FileFacts file, AccessRate rate) {
    if (file.importance().isPresent() && table.importance(file.importance().get()).isEmpty()) {
      return none(
          file,
          rate,
          Verdict.INVALID_IMPORTANCE,
          "importance="
              + file.importance().get()
              + ", expected one of "
              + table.importanceNames()
              + ", set at "
              + file.importanceFrom().orElse(file.path()));
    }
    Optional<Importance> importance =
        file.importance().flatMap(table::importance).or(table::defaultImportance);
    if (importance.isEmpty()) {
      return none(file, rate, Verdict.UNDECIDED, "no importance is set for it or above it");
    }
    return byFrequency(file, rate, importance.get());
  }

  private Advice byFrequency(FileFacts file, AccessRate rate, Importance importance) {
    boolean settled = rate.watchedMs() > 0 && rate.watchedMs() >= table.settleMs();
    Frequency least = settled ? table.frequency(rate.perDay()) : lowest();
    Frequency most = settled ? table.frequency(rate.perDayAtMost()) : table.frequencies().get(0);
    Rule rule = table.rule(importance, least);
    StorageForm form = form(rule, importance, file);
    // Every frequency between the two has to lead to the same form, or nothing can be said.
    int from = table.frequencies().indexOf(most);
    int to = table.frequencies().indexOf(least);
    for (Frequency f : table.frequencies().subList(from, to)) {
      if (!form(table.rule(importance, f), importance, file).equals(form)) {
        return none(
            file, rate, Verdict.UNDECIDED, settled ? missing(rate, least, most) : unsettled(rate));
      }
    }
    String frequency =
        least.equals(most)
            ? least.name() + " access frequency (" + perDay(rate.perDay()) + ")"
            : least.name() + " to " + most.name() + " access frequency";
    return new Advice(
        file,
        verdict(file.form(), form),
        Optional.of(rule),
        Optional.of(form),
        importance.name() + ", " + frequency + ": " + rule.scheme() + note(rule, form),
        rate,
        file.form().rawBytes(file.lengthBytes(), file.blockBytes()),
        form.rawBytes(file.lengthBytes(), file.blockBytes()));
  }

  private Frequency lowest() {
    return table.frequencies().get(table.frequencies().size() - 1);
  }

  private StorageForm form(Rule rule, Importance importance, FileFacts file) {
    return rule.form() instanceof Coded && file.lengthBytes() < table.smallFileBytes()
        ? new Replicated(importance.tolerates() + 1)
        : rule.form();
  }

  private static String note(Rule rule, StorageForm form) {
    if (form instanceof Raidp) {
      return ", if the cluster runs RAIDP (-apply asks)";
    }
    return form.equals(rule.form()) ? "" : ", in copies because it is small";
  }

  private String unsettled(AccessRate rate) {
    return "accesses were watched for "
        + duration(rate.watchedMs())
        + ", expected at least "
        + duration(table.settleMs());
  }

  private static String missing(AccessRate rate, Frequency least, Frequency most) {
    return "its access frequency lies between "
        + least.name()
        + " ("
        + perDay(rate.perDay())
        + ") and "
        + most.name()
        + ": up to "
        + rate.missedAtMost()
        + " accesses were not counted";
  }

  private static String perDay(double rate) {
    return String.format(Locale.ROOT, rate >= 10 ? "%.0f a day" : "%.1f a day", rate);
  }

  private static String duration(long ms) {
    return ms >= TimeUnit.DAYS.toMillis(2)
        ? TimeUnit.MILLISECONDS.toDays(ms) + " days"
        : ms >= TimeUnit.HOURS.toMillis(2)
            ? TimeUnit.MILLISECONDS.toHours(ms) + " hours"
            : TimeUnit.MILLISECONDS.toMinutes(ms) + " minutes";
  }

  /** How a file gets from one form to another. */
  static Verdict verdict(StorageForm now, StorageForm then) {
    if (now.equals(then) || now.equals(new Replicated(2)) && then instanceof Raidp) {
      return Verdict.KEEP;
    }
    if (now instanceof Coded is && then instanceof Coded should) {
      return is.differsInLevelOnly(should) ? Verdict.SET_LEVEL : Verdict.REWRITE;
    }
    // A file of three copies has blocks outside the superchunks of RAIDP.
    return now instanceof Replicated && then instanceof Replicated
        ? Verdict.SET_REPLICATION
        : Verdict.REWRITE;
  }

  private static Advice none(FileFacts file, AccessRate rate, Verdict verdict, String why) {
    long raw = file.form().rawBytes(file.lengthBytes(), file.blockBytes());
    return new Advice(file, verdict, Optional.empty(), Optional.empty(), why, rate, raw, raw);
  }
}

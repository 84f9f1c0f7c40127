/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.namenode;

import io.hdfsparity.bridge.refusal.Refusal;
import io.hdfsparity.bridge.update.GroupChange;
import io.hdfsparity.bridge.update.GroupRule;
import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.protocol.NodeRegistry;
import io.hdfsparity.ecupdate.protocol.RefusalKind;
import io.hdfsparity.ecupdate.protocol.SessionId;
import io.hdfsparity.ecupdate.protocol.SessionTable;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Heals block groups: replaces those of which units are lost, while sessions use them. Thread-safe.
 *
 * <p><b>What has to hold.</b> The client decodes a group from its other units, all of which it has
 * locked. So a lost unit's DataNode must have executed nothing from before the first lock until the
 * group is replaced; and nothing after that for who has a session that is still live.
 *
 * <p><b>From before the first lock.</b> The client's word for how long it has held its locks says
 * nothing of how long its call was on the way, and a NameNode may stand still for longer than a
 * DataNode's answer is valid. So the client has to ask before it locks anything, the NameNode keeps
 * in mind when that was, and compares on its own clock alone: an answer that a DataNode goes by
 * later than that belongs to a report that was noted less than {@link
 * io.hdfsparity.ecupdate.protocol.SessionTimes#fenceMs} before that, or after it. What the client
 * says it held is added: who asks late is refused, too. When it asks again, the first time counts,
 * as long as the group can be healed with it.
 *
 * <p><b>All go by the same lost units.</b> A lock does not outlast everything: it may expire, and
 * another healer locks the group after it. Two that take the same units for lost decode the same
 * states, since neither lets a writer end where the other could decode. One that takes more units
 * for lost may let writers end (L0) what the first has decoded as not written, and acknowledged
 * updates would not be in the first one's copy. So:
 *
 * <ul>
 *   <li>the units that are missing when it is judged have to be exactly those that the client goes
 *       by;
 *   <li>before a client is allowed to heal with a set of units, what was asked with other sets is
 *       forgotten, of all sessions ({@link SessionTable#askedToHeal});
 *   <li>whoever holds locks asks whether he still may ({@code heldMs} above 0, no copy), under his
 *       locks, before each time that he lets writers end; that, and replacing, is judged by what is
 *       kept in mind, under the NameNode's lock. So he is refused once another set was allowed, and
 *       once the group was replaced, as it is not in the file any more; and when he is not, no copy
 *       that was decoded before with another set will ever be accepted.
 * </ul>
 *
 * Recoveries need all units, so while one is lost nobody but healers changes locks. A call of an
 * earlier attempt of the same session that comes late is refused by its attempt's number, and so is
 * a question that is heard again, by which what is void would count once more.
 *
 * <p><b>A DataNode that comes back.</b> {@link NodeAnswers} notes a report, and then reads which
 * groups are listed as replaced. Here a group is listed, and then it is judged what reports have
 * been noted. So either its report was noted when it is judged, and the group is not healed; or it
 * was not, and its answer lists the group:
 *
 * <pre>
 *   NodeAnswers        note ........ read list, answer     note ... read list, answer
 *   here                      list ................ judge: refused
 *   here                                                   list ... judge: refused
 *   here       list, judge: nothing was noted             (both above come after: they list it)
 * </pre>
 *
 * A report that is noted between listing and judging gets an answer that lists the group, which is
 * then not replaced: for as long as it takes until the next report the DataNode refuses what it
 * could have executed. A DataNode that does not heed the list is answered that nobody is active
 * while anything is listed, and goes by no answer then. An answer that was made before the group
 * was listed, and comes late, is not valid any more: its report was noted before it was judged.
 * Answers of a standby do not count, nor do those of a predecessor after the grace, which the time
 * of asking lies behind; a later NameNode lists nothing, and no session of before is live with it.
 *
 * <p><b>Listed only for who may.</b> DataNodes serve nobody a group that is listed. So a group is
 * not listed for a session that was not allowed to heal it, with these units and in this attempt;
 * and it is allowed only what is in its file, and all else that is judged.
 *
 * <p><b>Not durable yet.</b> The group is listed before the replacement is logged. When this
 * NameNode dies before that is durable, the file has the old group, and all sessions, this list and
 * whatever was known of it are gone with the NameNode: the next recovery of the group has all its
 * units, as after any writer that died.
 */
final class GroupHealing {
  private final Supplier<Optional<SessionTable>> sessions;
  private final HealingRules rules;
  private final ReplacedGroups replaced;
  private final LongSupplier clockMs;

  /**
   * What a client wants.
   *
   * @param inodeId of the session's file
   * @param isAsking there is no copy yet
   */
  record HealingRequest(
      SessionId session, long inodeId, long groupId, boolean isAsking, Healing healing) {}

  /** Judges under the NameNode's lock, and replaces if nothing was said and there is a copy. */
  @FunctionalInterface
  interface Replacement {
    Optional<Refusal> run(GroupRule<Refusal> rule) throws IOException;
  }

  /**
   * @param sessions of the present term; none on a standby
   * @param clockMs that of the registry and the table
   */
  GroupHealing(
      Supplier<Optional<SessionTable>> sessions,
      NodeRegistry nodes,
      ReplacedGroups replaced,
      LongSupplier clockMs) {
    this.sessions = sessions;
    this.rules = new HealingRules(nodes);
    this.replaced = replaced;
    this.clockMs = clockMs;
  }

  /**
   * Heals a group, or says whether it may be healed: for the first time when nothing is locked yet,
   * and then that is kept in mind, or whether it still may be.
   *
   * @param others what else is judged, before
   * @return why not
   */
  Optional<Refusal> heal(HealingRequest wanted, GroupRule<Refusal> others, Replacement replacement)
      throws IOException {
    long calledMs = clockMs.getAsLong();
    if (wanted.isAsking() && wanted.healing().heldMs() == 0) {
      return ask(wanted, calledMs, others, replacement);
    }
    GroupRule<Refusal> rule =
        change -> others.veto(change).or(() -> judgeAsked(wanted, calledMs, change));
    if (wanted.isAsking()) {
      return replacement.run(rule);
    }
    if (askedMs(wanted).isPresent()) {
      return replace(wanted, rule, replacement);
    }
    // It is not listed, so it is refused whatever was asked meanwhile. Whether it is in the file is
    // found out first: the locks of one that was replaced are not released.
    return replacement.run(change -> others.veto(change).or(() -> notAsked(change)));
  }

  private Optional<Refusal> ask(
      HealingRequest wanted, long calledMs, GroupRule<Refusal> others, Replacement replacement)
      throws IOException {
    Optional<Refusal> refusal =
        replacement.run(
            change ->
                others
                    .veto(change)
                    .or(() -> rules.judge(change, lost(wanted.healing(), calledMs))));
    return refusal.or(() -> keepInMind(wanted, calledMs));
  }

  private Optional<Refusal> replace(
      HealingRequest wanted, GroupRule<Refusal> rule, Replacement replacement) throws IOException {
    boolean[] isAllowed = {false};
    // Until it is known: what is thrown may be thrown after the file was changed.
    ReplacedGroups.Outcome outcome = ReplacedGroups.Outcome.UNKNOWN;
    replaced.begin(wanted.groupId(), wanted.inodeId());
    try {
      Optional<Refusal> refusal =
          replacement.run(
              change -> {
                Optional<Refusal> veto = rule.veto(change);
                isAllowed[0] = veto.isEmpty();
                return veto;
              });
      outcome = refusal.isEmpty() ? ReplacedGroups.Outcome.YES : ReplacedGroups.Outcome.NO;
      return refusal;
    } finally {
      replaced.end(wanted.groupId(), isAllowed[0] ? outcome : ReplacedGroups.Outcome.NO);
    }
  }

  /** Allowed is only what is kept in mind, and a question that is heard twice is not. */
  private Optional<Refusal> keepInMind(HealingRequest wanted, long calledMs) {
    Healing healing = wanted.healing();
    boolean isKept =
        sessions
            .get()
            .map(
                table ->
                    table.askedToHeal(
                        wanted.session(),
                        wanted.groupId(),
                        healing,
                        calledMs,
                        before ->
                            rules
                                .mayHaveExecuted(
                                    healing.lostNodes(),
                                    healing.lostUnits(),
                                    wanted.groupId(),
                                    before)
                                .isEmpty()))
            .orElse(false);
    return isKept
        ? Optional.empty()
        : Optional.of(
            RefusalKind.NODE_BACK.because(
                "attempt",
                healing.attempt(),
                "higher than of each question of this session before, and the session open",
                "group=" + wanted.groupId()));
  }

  private OptionalLong askedMs(HealingRequest wanted) {
    return sessions
        .get()
        .map(table -> table.healingAskedMs(wanted.session(), wanted.groupId(), wanted.healing()))
        .orElseGet(OptionalLong::empty);
  }

  /** What is kept in mind is looked at here, under the lock of the NameNode. */
  private Optional<Refusal> judgeAsked(HealingRequest wanted, long calledMs, GroupChange change) {
    OptionalLong askedMs = askedMs(wanted);
    if (askedMs.isEmpty()) {
      return notAsked(change);
    }
    long sinceMs = Math.min(calledMs - wanted.healing().heldMs(), askedMs.getAsLong());
    return rules.judge(change, lost(wanted.healing(), sinceMs));
  }

  private static Optional<Refusal> notAsked(GroupChange change) {
    return Optional.of(
        RefusalKind.NODE_BACK.because(
            "askedBefore",
            false,
            "true: to ask with heldMs=0, be allowed, and then to lock; nobody else has asked with"
                + " other lost units since",
            change.file().path()));
  }

  private HealingRules.Lost lost(Healing healing, long sinceMs) {
    boolean isInGrace = sessions.get().map(table -> table.isInGrace(sinceMs)).orElse(true);
    return new HealingRules.Lost(healing.lostNodes(), healing.lostUnits(), sinceMs, isInGrace);
  }
}

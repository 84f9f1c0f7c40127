/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Bugs that torture has to find, each with the run that is to find it. */
enum PlantedBug {
  PARITY_DELTA_LOST(
      "A parity unit acknowledges one delta in ten and does not add it.",
      "--features ecupdate --faults none",
      MethodChange.plant(
          "ecupdate.storage.log.Recovered#overlayRecord", 3, PlantedCode.LosesDelta.class)),
  DELTA_PLAYED_BACK_TWICE(
      "After a restart the log adds deltas that the reserved space has already.",
      "--features ecupdate --faults kill,restart",
      MethodChange.plant(
          "ecupdate.storage.ReplicaLoader#playBack", 3, PlantedCode.NotesPlayBack.class),
      MethodChange.leaveOut(
          "ecupdate.storage.ReplicaLoader#playBack", 3, "ecupdate.storage.ReservedDeltas#last")),
  ACK_BEFORE_FORCE(
      "A reply leaves before its record is in the log, which is written a second later.",
      "--features ecupdate --faults kill",
      MethodChange.plant(
          "ecupdate.storage.log.DurablePoint#whenDurable", 1, PlantedCode.CallsDurable.class),
      MethodChange.plant(
          "ecupdate.storage.log.GroupWriter#write", 2, PlantedCode.TakesASecond.class)),
  PIN_NOT_TAKEN(
      "A stock reader gets the file of a replica without the changes that only the log has.",
      "--features ecupdate --faults none",
      MethodChange.leaveOut(
          "ecupdate.datanode.StockReads#plainOrNone",
          1,
          "ecupdate.datanode.AdmittedReplicas#find")),
  DECODE_NOT_HELD_OFF(
      "Stock decoders may combine units of a group that is being updated.",
      "--features ecupdate --faults refuse-readers",
      MethodChange.plant("ecupdate.datanode.StockReads#mayDecode", 2, PlantedCode.SaysNo.class)),
  FENCE_SKIPPED(
      "A parity unit takes deltas while it is locked for a recovery, and those of before.",
      "--features ecupdate --faults slow-link",
      MethodChange.plant("ecupdate.ajx.SlotMachine#add", 3, PlantedCode.NotesFenced.class),
      MethodChange.leaveOut("ecupdate.ajx.SlotMachine#add", 3, "ecupdate.ajx.SlotState#epoch"),
      MethodChange.leaveOut("ecupdate.ajx.SlotMachine#add", 3, "ecupdate.ajx.SlotState#lockMode")),
  SWAP_PREVIOUS_LOST(
      "A swap that is sent again is answered with the bytes of now, not with those it replaced.",
      "--features ecupdate --faults reply-loss",
      MethodChange.plant("ecupdate.ajx.SlotMachine#swap", 1, PlantedCode.ForgetsPrevious.class)),
  LOG_NOT_PLAYED_BACK(
      "After a restart a replica lacks the bytes that only the log has.",
      "--features ecupdate --faults kill,restart",
      MethodChange.plant(
          "ecupdate.storage.log.Recovered$Replica#overlay", 1, PlantedCode.SaysNothing.class)),
  CRC_NOT_COMPARED(
      "One frame in 300 arrives with a flipped bit, and its CRC is not compared.",
      "--features ecupdate --faults none",
      MethodChange.plant("ecupdate.channel.FrameCodec#crc", 2, PlantedCode.FlipsBit.class)),
  RAIDP_PARITY_LEFT_OUT(
      "One change of a parity cell in twenty is left out.",
      "--features raidp --faults none",
      MethodChange.plant("raidp.lstor.Transaction#apply", 3, PlantedCode.SkipsSome.class)),
  RAIDP_WRONG_COEFFICIENT(
      "Both sides of a superchunk are added with the coefficient 1.",
      "--features raidp --faults disk-fail",
      MethodChange.plant("raidp.lstor.Transaction#apply", 3, PlantedCode.ForgetsCoefficient.class)),
  RAIDP_LIMBO_RELEASED_EARLY(
      "Bytes of a deleted block go while the partner's parity still covers them.",
      "--features raidp --faults disk-pair-fail",
      MethodChange.plant("raidp.datanode.PartnerCalls#isClear", 2, PlantedCode.SaysYes.class)),
  IZS_PARITY_WRONG(
      "One call of the encoder in five changes a byte of parity.",
      "--features izs --faults none",
      MethodChange.plant(
          "izs.rawcoder.IzsRawEncoder#encodeBuffers", 2, PlantedCode.SpoilsParity.class)),
  IZS_REBUILT_WRONG(
      "A unit that a DataNode computes has a wrong byte.",
      "--features izs --faults kill",
      MethodChange.plant("izs.datanode.StripeDecoder#compute", 3, PlantedCode.SpoilsUnit.class)),
  CASO_CHANGE_UNSEEN(
      "A copy takes the place of a file although that was changed since it was copied.",
      "--features caso --faults none",
      MethodChange.plant("bridge.swap.SwapRules#changed", 1, PlantedCode.FindsNothing.class));

  private final String sentence;
  private final String run;
  private final List<MethodChange> changes;

  PlantedBug(String sentence, String run, MethodChange... changes) {
    this.sentence = sentence;
    this.run = run;
    this.changes = List.of(changes);
  }

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What is wrong with it. */
  String sentence() {
    return sentence;
  }

  /** Features and faults of the run that is to find it, as on the command line. */
  String run() {
    return run;
  }

  List<MethodChange> changes() {
    return changes;
  }

  /**
   * That of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  static PlantedBug named(String label) {
    return Arrays.stream(values())
        .filter(bug -> bug.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Cannot plant a bug: name="
                        + label
                        + ", expected one of "
                        + Arrays.stream(values()).map(PlantedBug::label).toList()));
  }
}

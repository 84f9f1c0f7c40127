/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.level;

/**
 * How far the verification of parity has come, in one NameNode. Immutable.
 *
 * @param isRunning in the active NameNode, and not switched off
 * @param problem why it does not go on; empty: it does
 * @param unverified groups that wait to be verified, as far as they are known
 * @param idsLeft ids of groups that were not looked at yet
 * @param results since the NameNode's start
 */
public record VerifyStatus(
    boolean isRunning, String problem, long unverified, long idsLeft, Results results) {
  /** Nothing is verified. */
  public static final VerifyStatus OFF = off("off");

  /**
   * Counts since the NameNode's start.
   *
   * @param sampled groups whose sample fitted
   * @param verified groups of which all fitted that is compared
   * @param wrongParity groups with wrong parity
   * @param unitsReencoded parity units that were dropped to be encoded from the data
   * @param suspectedData groups in which a data unit is suspected; nothing was changed
   * @param notCompared attempts that failed since units could not be read
   * @param takenByUpdates attempts that ended since the file is, or was, updated in place
   * @param givenUp groups that were given up after too many attempts
   */
  public record Results(
      long sampled,
      long verified,
      long wrongParity,
      long unitsReencoded,
      long suspectedData,
      long notCompared,
      long takenByUpdates,
      long givenUp) {}

  /** Nothing is verified, for a reason. */
  public static VerifyStatus off(String problem) {
    return new VerifyStatus(false, problem, 0, 0, new Results(0, 0, 0, 0, 0, 0, 0, 0));
  }
}

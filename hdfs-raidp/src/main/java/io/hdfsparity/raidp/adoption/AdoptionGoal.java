/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

/** What a run is to do. */
public enum AdoptionGoal {
  /** Counts what is covered and what could be; changes nothing. */
  SURVEY,
  /** Has what can be covered, and lowers replications. */
  ADOPT,
  /** Gives files back the replicas that parity stands for, and then gives up the parity. */
  RELEASE
}

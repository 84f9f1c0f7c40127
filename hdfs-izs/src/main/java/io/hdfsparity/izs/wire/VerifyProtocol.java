/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.wire;

import io.hdfsparity.izs.verify.VerifyReport;
import java.io.IOException;
import java.util.List;

/**
 * What DataNodes ask the level manager in a NameNode, to verify parity. A caller has to be at the
 * address at which the DataNode that it names has registered. Thread-safe.
 */
public interface VerifyProtocol {
  /** Maximum number of reports of a call. */
  int MAX_REPORTS = 100;

  /**
   * Groups to be verified of which the DataNode has a unit. What it was given before, and has not
   * reported, is taken from it.
   *
   * @throws IOException when this NameNode has none to give: a standby answers StandbyException
   */
  List<VerifyTask> takeGroups(String nodeUuid) throws IOException;

  /**
   * What was found. Reports of groups that the DataNode was not given, or that were taken from it,
   * are dropped.
   *
   * @param reports at most {@link #MAX_REPORTS}
   * @throws IOException when this NameNode takes none: a standby answers StandbyException
   */
  void reportGroups(String nodeUuid, List<VerifyReport> reports) throws IOException;

  /**
   * Whether a DataNode may rebuild data units of a group from parity that nothing else vouches for:
   * it was verified, is not to be, or this NameNode has been active for long enough; and it was not
   * found to contradict the data. If not, the DataNode compares all bytes first, and rebuilds
   * nothing where no unit is to spare for that.
   *
   * @throws IOException when this NameNode cannot tell: a standby, and one of another block pool,
   *     answers StandbyException
   */
  boolean mayBelieveParity(String nodeUuid, String blockPool, long groupId) throws IOException;
}

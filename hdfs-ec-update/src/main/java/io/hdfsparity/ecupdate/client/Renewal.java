/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.ecupdate.protocol.UpdateSession;
import java.io.IOException;

/** Rewrites block groups that take no more updates. */
interface Renewal {
  /**
   * Returns when the file has another group in that place, with the same bytes.
   *
   * @param group index in the session
   * @throws IOException if that cannot be done; the file is as it was
   */
  void renew(UpdateSession session, int group) throws IOException;

  /**
   * As {@link #renew}, for a group of which units are lost.
   *
   * @return false: it cannot be done now, and nothing was tried
   */
  boolean heal(UpdateSession session, int group, LostUnits lost) throws IOException;
}

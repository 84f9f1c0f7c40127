/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.ecupdate.protocol.Healing;
import io.hdfsparity.ecupdate.updater.LockWait;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Where the bytes of a block group that is rewritten come from. For one thread. */
interface GroupSource extends Closeable {
  /**
   * From the beginning of the group; once.
   *
   * @param waiting notified while another client is waited for
   */
  InputStream open(LockWait waiting) throws IOException;

  /** What the NameNode is to judge by, beside the files. */
  Optional<Healing> healing();

  /** What is known of the group; at first that it is as it was. */
  void know(GroupOutcome fate);

  /**
   * Asked now and then.
   *
   * @throws IOException if nobody wants the copy any more
   */
  void requireWanted() throws IOException;
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.wire;

import org.apache.hadoop.thirdparty.protobuf.RpcController;

/** What proxies are given for the controller that Hadoop's RPC does not use. */
final class NoController {
  @SuppressWarnings("NullAway") // Hadoop's proxies take null, and read the message only
  static final RpcController NONE = null;

  private NoController() {}
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.Path;
import javax.ws.rs.core.Context;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.web.resources.NamenodeWebHdfsMethods;
import org.apache.hadoop.http.HttpServer2;

/**
 * WebHDFS of a NameNode, whose calls go the same way as those that come by RPC. Hadoop's Router
 * puts its own ClientProtocol behind WebHDFS likewise, by overriding this one method. Callers by
 * WebHDFS have no caller context, and so cannot state that they know anything.
 *
 * <p>What does not go by it: the choice of the DataNode that a client is sent to for bytes. It
 * tells that node's address; the bytes are read and written by a client in that DataNode.
 *
 * <p>Reaches: NamenodeWebHdfsMethods.getRpcClientProtocol, getContext, protected, by which all else
 * gets to the NameNode. Made by Jersey for each request.
 */
@Path("")
public class GuardedWebHdfs extends NamenodeWebHdfsMethods {
  private static final String CLIENT_PROTOCOL = GuardedWebHdfs.class.getName() + ".protocol";

  /** As Jersey makes it. */
  public GuardedWebHdfs(@Context HttpServletRequest request) {
    super(request);
  }

  @Override
  protected ClientProtocol getRpcClientProtocol() throws IOException {
    if (getContext().getAttribute(CLIENT_PROTOCOL) instanceof ClientProtocol guarded) {
      return guarded;
    }
    throw new IOException(
        ErrorMessage.to("answer by WebHDFS")
            .value(CLIENT_PROTOCOL, "none")
            .expected("a NameNode that runs; try again")
            .message());
  }

  /**
   * Takes the place of a running server's WebHDFS.
   *
   * @param guarded what its calls go to
   * @throws IOException if the server has none, or not Hadoop's; then nothing has changed
   */
  static void install(HttpServer2 server, ClientProtocol guarded) throws IOException {
    JerseyWebHdfs webHdfs = JerseyWebHdfs.of(server);
    server.setAttribute(CLIENT_PROTOCOL, guarded);
    webHdfs.guard();
  }
}

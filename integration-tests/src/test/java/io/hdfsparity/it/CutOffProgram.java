/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.CodeTable;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.channel.ClientLimits;
import io.hdfsparity.ecupdate.protocol.OpenRequest;
import io.hdfsparity.ecupdate.protocol.SessionAnswer;
import io.hdfsparity.ecupdate.protocol.Sharing;
import io.hdfsparity.ecupdate.protocol.UpdateSession;
import io.hdfsparity.ecupdate.protocol.UpdateUnit;
import io.hdfsparity.ecupdate.updater.Endpoint;
import io.hdfsparity.ecupdate.wire.SessionManagers;
import java.io.IOException;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A program that has a file open exclusively, reaches its DataNodes by the connection that it has,
 * and the NameNode no more: it neither renews its session nor learns that it is over.
 */
final class CutOffProgram implements AutoCloseable {
  private final UpdateSession session;
  private final UpdateUnit unit;
  private final ChannelClient channels;

  private CutOffProgram(UpdateSession session) {
    this.session = session;
    unit = session.groups().get(0).units().get(0);
    Bytes token =
        EcUpdateFilesTest.token(
            unit.token().orElseThrow().identifier(),
            unit.token().orElseThrow().password(),
            CodeTable.plain(GfMatrix.cauchyParity(MiniUpdates.DATA, 2)).crc());
    channels = new ChannelClient(ClientLimits.standard(), node -> token);
  }

  /**
   * Opens a file, and is cut off.
   *
   * @throws IOException if the session is refused
   */
  static CutOffProgram open(DistributedFileSystem fs, String path) throws IOException {
    SessionAnswer answer =
        SessionManagers.of(fs.getConf(), fs.getUri())
            .callActive(
                manager -> manager.open(new OpenRequest(path, "cut off", 0, Sharing.EXCLUSIVE)));
    if (answer instanceof SessionAnswer.Granted granted) {
      return new CutOffProgram(granted.session());
    }
    throw new IOException("Cannot open " + path + ": " + answer);
  }

  /** Reads from the first unit; empty, or why it could not. */
  String read() throws Exception {
    return call(new Request.Read(0, 16));
  }

  /** Writes to the first unit; empty, or why it could not. */
  String write() throws Exception {
    long client = ((long) session.id().number() << 32) | 1;
    return call(new Request.Swap(new Patch(0, Bytes.zeros(16)), new Tid(client, 1, 0)));
  }

  private String call(Request request) throws Exception {
    FirstAnswer answer = new FirstAnswer();
    channels.call(
        new Endpoint(
            unit.storage().node().host(),
            unit.storage().node().port(),
            session.file().blockPool(),
            "any"),
        new SlotKey(new ReplicaKey(session.file().blockPool(), unit.blockId()), 0),
        request,
        answer);
    return answer.await(60);
  }

  @Override
  public void close() {
    channels.close();
  }
}

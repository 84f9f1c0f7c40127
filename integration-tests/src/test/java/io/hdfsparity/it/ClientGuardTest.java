/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.guard.CallerAbilities;
import io.hdfsparity.caso.layout.LayoutPointer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No client reads or writes wrong bytes because it does not know something. */
class ClientGuardTest {
  /** As hdfs-native names itself. */
  private static final String FOREIGN = "hdfs_native_client-4f1c";

  private static final String ORDERED = "/ordered/f";
  private static final EnumSet<CreateFlag> NEW_BLOCK =
      EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK);
  private static final EnumSet<CreateFlag> REPLICATED =
      EnumSet.of(CreateFlag.CREATE, CreateFlag.SHOULD_REPLICATE);

  @TempDir static java.nio.file.Path root;

  private static MiniCaso caso;
  private static DistributedFileSystem stock;
  private static byte[] bytes;
  private static ErasureCodingPolicy izs;

  @BeforeAll
  static void start() throws IOException {
    caso = MiniCaso.start(root);
    stock = caso.stock();
    izs = caso.addPolicy(new ErasureCodingPolicy(new ECSchema("izs", 4, 1), MiniCaso.CELL_BYTES));
    stock.enableErasureCodingPolicy(izs.getName());
    stock.mkdirs(new Path("/izs"));
    stock.setErasureCodingPolicy(new Path("/izs"), izs.getName());
    stock.mkdirs(new Path("/plain"));
    stock.setPermission(new Path("/"), new FsPermission((short) 01777));
    bytes = caso.make(ORDERED, 1);
    caso.make("/ordered/own", 2);
    caso.organize(ORDERED);
  }

  @AfterAll
  static void stop() {
    caso.close();
  }

  private static ClientProtocol rpc() {
    return stock.getClient().getNamenode();
  }

  private static HdfsFileStatus create(
      String path, String holder, EnumSet<CreateFlag> flags, String policy) throws IOException {
    return rpc()
        .create(
            path,
            FsPermission.getFileDefault(),
            holder,
            new EnumSetWritable<>(flags),
            /* createParent= */ true,
            (short) 3,
            64 * MiniCaso.CELL_BYTES,
            CryptoProtocolVersion.supported(),
            policy,
            /* storagePolicy= */ null);
  }

  private interface Call {
    void run() throws Exception;
  }

  private static void refusesToWrite(Call call, String path) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot write a file: client=" + FOREIGN)
        .hasMessageContaining("policy=" + izs.getName())
        .hasMessageContaining("expected a client that computes codec izs")
        .hasMessageContaining("file=" + path);
  }

  @Test
  void aClientThatAsksForNoCodecCannotWriteByIt() throws Exception {
    EnumSet<CreateFlag> make = EnumSet.of(CreateFlag.CREATE);
    refusesToWrite(() -> create("/izs/new", FOREIGN, make, null), "/izs/new");
    assertThat(stock.exists(new Path("/izs/new"))).isFalse();
    refusesToWrite(() -> create("/izs/a/b/c", FOREIGN, make, null), "/izs/a/b/c");
    refusesToWrite(() -> create("/plain/f", FOREIGN, make, izs.getName()), "/plain/f");
    byte[] kept = MiniLevels.bytes(50_000, 3);
    MiniLevels.write(stock, "/izs/kept", kept);
    refusesToWrite(
        () -> create("/izs/kept", FOREIGN, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE), ""),
        "/izs/kept");
    refusesToWrite(
        () ->
            rpc()
                .append(
                    "/izs/kept",
                    FOREIGN,
                    new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK))),
        "/izs/kept");
    assertThat(MiniLevels.read(stock, "/izs/kept", kept.length)).isEqualTo(kept);

    HdfsFileStatus made;
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.codec("izs"))) {
      made = create("/izs/stated", FOREIGN, make, null);
    }
    long id = made.getFileId();
    refusesToWrite(
        () -> rpc().addBlock("/izs/stated", FOREIGN, null, null, id, null, null), "/izs/stated");
    refusesToWrite(
        () -> rpc().addBlock("/izs/stated", FOREIGN, null, null, 0, null, null), "/izs/stated");
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.codec("izs"))) {
      assertThat(rpc().addBlock("/izs/stated", FOREIGN, null, null, id, null, null).isStriped())
          .isTrue();
    }
    // What Hadoop's own codecs write is not asked for.
    create(
        "/izs/replicated", FOREIGN, EnumSet.of(CreateFlag.CREATE, CreateFlag.SHOULD_REPLICATE), "");
    HdfsFileStatus rs = create("/ordered/rs", FOREIGN, make, null);
    assertThat(
            rpc()
                .addBlock("/ordered/rs", FOREIGN, null, null, rs.getFileId(), null, null)
                .isStriped())
        .isTrue();
    create("/plain/g", FOREIGN, make, null);
    create("/izs/java", "DFSClient_NONMAPREDUCE_1_1", make, null);
    assertThat(counter("CodecRefusals")).isGreaterThanOrEqualTo(7);
  }

  @Test
  void aClientThatKnowsNoBlockGroupsCannotWriteThem() throws Exception {
    EnumSet<CreateFlag> make = EnumSet.of(CreateFlag.CREATE);
    String foreign = "go-hdfs-4f1c";
    long before = counter("ReplicasOnlyRefusals");
    Call createsIn = () -> create("/ordered/go", foreign, make, null);
    Call createsBy = () -> create("/plain/go", foreign, make, MiniCaso.POLICY);
    Call appends = () -> rpc().append("/ordered/own", foreign, new EnumSetWritable<>(NEW_BLOCK));
    for (Call each : List.of(createsIn, createsBy, appends)) {
      assertThatThrownBy(each::run)
          .hasMessageContaining("Cannot write a file: client=" + foreign)
          .hasMessageContaining("policy=" + MiniCaso.POLICY)
          .hasMessageContaining("write into a directory without erasure coding")
          .hasMessageContaining("dfs.parity.namenode.replicas-only.clients");
    }
    assertThat(counter("ReplicasOnlyRefusals")).isEqualTo(before + 3);

    create("/plain/go", foreign, make, null);
    create("/ordered/go-replicated", foreign, REPLICATED, null);
    HdfsFileStatus open = create("/ordered/native", FOREIGN, make, null);
    long id = open.getFileId();
    assertThat(rpc().addBlock("/ordered/native", FOREIGN, null, null, id, null, null).isStriped())
        .isTrue();
    try (CallerAbilities.Statement stated = CallerAbilities.state(CallerAbilities.codec("rs"))) {
      create("/ordered/stated", foreign, make, null);
    }
  }

  private static long counter(String name) {
    return Metrics.value("ParityClientGuard", name);
  }

  private static void refusesToRead(String way, Call call) {
    assertThatThrownBy(call::run)
        .as(way)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot read a file: order=stored")
        .hasMessageContaining("fs.hdfs.impl=io.hdfsparity.ParityFileSystem")
        .hasMessageContaining("hdfs caso -restore " + ORDERED);
  }

  private static void open(String path) throws IOException {
    try (FSDataInputStream in = stock.open(new Path(path))) {
      in.readFully(0, new byte[10]);
    }
  }

  @Test
  void whoKnowsNoOrdersIsRefusedOnAllWaysToTheFile() throws Exception {
    FileStatus status = stock.getFileStatus(new Path(ORDERED));
    long id = ((HdfsFileStatus) status).getFileId();
    stock.allowSnapshot(new Path("/ordered"));
    stock.createSnapshot(new Path("/ordered"), "s");
    try {
      for (String path :
          List.of(
              ORDERED,
              "/.reserved/.inodes/" + id,
              "/.reserved/raw" + ORDERED,
              "/ordered/.snapshot/s/f")) {
        refusesToRead(path, () -> open(path));
      }
      assertThat(caso.read("/ordered/.snapshot/s/f")).isEqualTo(bytes);
    } finally {
      stock.deleteSnapshot(new Path("/ordered"), "s");
      stock.disallowSnapshot(new Path("/ordered"));
    }
    Path file = new Path(ORDERED);
    refusesToRead(
        "handle", () -> stock.open(stock.getPathHandle(status, HandleOpt.exact())).close());
    refusesToRead("checksum", () -> stock.getFileChecksum(file));
    refusesToRead("locations", () -> stock.getFileBlockLocations(file, 0, 1));
    refusesToRead("end", () -> stock.getFileBlockLocations(file, 2L * bytes.length, 1));
    refusesToRead(
        "FileContext",
        () ->
            FileContext.getFileContext(stock.getUri(), new Configuration(stock.getConf()))
                .open(file)
                .close());
    refusesToRead("by a DataNode", () -> web(ORDERED, "OPEN"));
    refusesToRead("by a DataNode, inode", () -> web("/.reserved/.inodes/" + id, "OPEN"));
    refusesToRead("by the NameNode", () -> web(ORDERED, "GETFILEBLOCKLOCATIONS"));
    refusesToRead("by the NameNode", () -> web(ORDERED, "GET_BLOCK_LOCATIONS"));
    assertThat(web("/ordered/own", "OPEN")).hasSize(bytes.length);
    assertThat(web("/ordered/own", "GETFILEBLOCKLOCATIONS")).isNotEmpty();
    assertThat(web("/ordered", "LISTSTATUS")).isNotEmpty();
    assertThat(counter("OrderReadRefusals")).isGreaterThanOrEqualTo(10);
  }

  private static byte[] web(String path, String operation) throws IOException {
    return web(path, operation, "GET");
  }

  private static byte[] web(String path, String operation, String method) throws IOException {
    return web(path, operation, method, System.getProperty("user.name"));
  }

  private static byte[] web(String path, String operation, String method, String user)
      throws IOException {
    InetSocketAddress at = caso.cluster().getNameNode().getHttpAddress();
    URI uri =
        URI.create(
            "http://"
                + at.getHostString()
                + ":"
                + at.getPort()
                + "/webhdfs/v1"
                + path
                + "?op="
                + operation
                + "&user.name="
                + user);
    HttpURLConnection call = (HttpURLConnection) uri.toURL().openConnection();
    call.setRequestMethod(method);
    if (call.getResponseCode() >= 400) {
      try (InputStream why = call.getErrorStream()) {
        throw new IOException(
            call.getResponseCode() + " " + new String(why.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    try (InputStream in = call.getInputStream()) {
      return in.readAllBytes();
    }
  }

  /** The context of a job stays what it was, and reaches the NameNode. */
  @Test
  void whoKnowsOrdersReadsAndKeepsTheContextOfItsJob() throws Exception {
    CallerContext ofJob =
        new CallerContext.Builder("mr_attempt_1").setSignature(new byte[] {1}).build();
    CallerContext.setCurrent(ofJob);
    try (FileSystem client = caso.client()) {
      try (FSDataInputStream in = client.open(new Path(ORDERED))) {
        assertThat(in.readAllBytes()).isEqualTo(bytes);
      }
      assertThat(CallerContext.getCurrent()).isSameAs(ofJob);
      BlockLocation[] locations = client.getFileBlockLocations(new Path(ORDERED), 0, 1);
      assertThat(locations[0].getHosts()).isNotEmpty();
      RemoteIterator<LocatedFileStatus> all = client.listLocatedStatus(new Path(ORDERED));
      assertThat(all.next().getBlockLocations()[0].getHosts()).isNotEmpty();
    } finally {
      CallerContext.setCurrent(null);
    }
  }

  private static List<LocatedFileStatus> listed(RemoteIterator<LocatedFileStatus> entries)
      throws IOException {
    List<LocatedFileStatus> all = new ArrayList<>();
    while (entries.hasNext()) {
      all.add(entries.next());
    }
    return all;
  }

  private static void requireNodes(LocatedFileStatus entry, boolean areThere) throws IOException {
    BlockLocation[] blocks = entry.getBlockLocations();
    long end = 0;
    for (BlockLocation block : blocks) {
      assertThat(block.getOffset()).isEqualTo(end);
      end += block.getLength();
      assertThat(block.getHosts().length > 0).as("%s", entry.getPath()).isEqualTo(areThere);
    }
    assertThat(end).isEqualTo(entry.getLen()).isEqualTo(bytes.length);
  }

  @Test
  void aListingDoesNotFailForOneFile() throws Exception {
    Path directory = new Path("/ordered");
    UserGroupInformation reader =
        UserGroupInformation.createUserForTesting("reader", new String[] {"readers"});
    reader.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (DistributedFileSystem fs =
                  (DistributedFileSystem) FileSystem.newInstance(stock.getUri(), stock.getConf())) {
                List<LocatedFileStatus> all =
                    new ArrayList<>(listed(fs.listLocatedStatus(directory)));
                RemoteIterator<PartialListing<LocatedFileStatus>> batches =
                    fs.batchedListLocatedStatusIterator(List.of(directory));
                while (batches.hasNext()) {
                  all.addAll(batches.next().get());
                }
                all.removeIf(each -> !List.of("f", "own").contains(each.getPath().getName()));
                assertThat(all).hasSize(4);
                for (LocatedFileStatus each : all) {
                  requireNodes(each, each.getPath().getName().equals("own"));
                }
                requireSplits(new Path(fs.getUri() + "/ordered"));
                refusesToRead("split", () -> requireSplits(new Path(fs.getUri() + ORDERED)));
              }
              return null;
            });
    // For the Mover.
    List<LocatedFileStatus> all = listed(stock.listLocatedStatus(new Path(ORDERED)));
    requireNodes(all.get(0), /* areThere= */ true);
    assertThat(counter("ListingEntriesStripped")).isGreaterThanOrEqualTo(2);
  }

  /** A job over a directory is planned, and fails where it opens the file. */
  private static void requireSplits(Path input) throws Exception {
    Job job = Job.getInstance(new Configuration(stock.getConf()));
    FileInputFormat.addInputPath(job, input);
    FileInputFormat.setMaxInputSplitSize(job, 100_000);
    List<InputSplit> splits = new TextInputFormat().getSplits(job);
    assertThat(splits.stream().map(each -> ((FileSplit) each).getPath().getName()))
        .filteredOn("f"::equals)
        .hasSizeGreaterThan(5);
    JobConf old = new JobConf(stock.getConf());
    org.apache.hadoop.mapred.FileInputFormat.addInputPath(old, input);
    org.apache.hadoop.mapred.TextInputFormat format =
        new org.apache.hadoop.mapred.TextInputFormat();
    format.configure(old);
    assertThat(format.getSplits(old, 7)).hasSizeGreaterThan(6);
  }

  private static void refusesToChange(String call, Call change) {
    assertThatThrownBy(change::run)
        .as(call)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot " + call + " a file: order=stored")
        .hasMessageContaining("run hdfs caso -restore /change/f");
  }

  @Test
  void nobodyChangesTheLengthOfAFileInStoredOrder() throws Exception {
    byte[] content = caso.make("/change/f", 4);
    byte[] other = caso.make("/change/own", 5);
    caso.organize("/change/f");
    Path file = new Path("/change/f");
    Path own = new Path("/change/own");
    refusesToChange("append", () -> stock.appendFile(file).newBlock().build());
    refusesToChange("truncate", () -> stock.truncate(file, 1));
    refusesToChange("concat", () -> stock.concat(file, new Path[] {own}));
    refusesToChange("concat", () -> stock.concat(own, new Path[] {file}));
    assertThat(counter("OrderChangeRefusals")).isGreaterThanOrEqualTo(4);
    for (String sources :
        List.of("/change/own&sources=/change/f", "/change/f&sources=/change/own")) {
      String[] parts = sources.split("&");
      refusesToChange("concat", () -> web(parts[0], "CONCAT&" + parts[1], "POST"));
    }
    refusesToChange("truncate", () -> web("/change/f", "TRUNCATE&newlength=1", "POST"));
    assertThat(caso.read("/change/f")).isEqualTo(content);
    assertThat(caso.read("/change/own")).isEqualTo(other);
    // Files in their own order are as ever.
    try (OutputStream more = stock.appendFile(own).newBlock().build()) {
      more.write(1);
    }
    assertThat(stock.getFileStatus(own).getLen()).isEqualTo(other.length + 1);
    assertThat(stock.rename(file, new Path("/change/g"))).isTrue();
    assertThat(stock.delete(new Path("/change/g"), false)).isTrue();
  }

  private static void isForSuperusers(String way, Call call) {
    assertThatThrownBy(call::run)
        .as(way)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "Cannot change an extended attribute: name=user.parity.caso.layout, expected a superuser")
        .hasMessageContaining("hdfs caso -restore FILE");
  }

  /** Without the mark, the stored order would be read as the file's own. */
  @Test
  void onlySuperusersChangeTheMarkOfAFileInStoredOrder() throws Exception {
    byte[] content = caso.make("/mark/f", 6);
    caso.organize("/mark/f");
    Path file = new Path("/mark/f");
    stock.setOwner(file, "owner", "users");
    byte[] mark = stock.getXAttr(file, LayoutPointer.XATTR);
    UserGroupInformation owner =
        UserGroupInformation.createUserForTesting("owner", new String[] {"users"});
    owner.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (FileSystem fs = FileSystem.newInstance(stock.getUri(), stock.getConf())) {
                isForSuperusers("remove", () -> fs.removeXAttr(file, LayoutPointer.XATTR));
                isForSuperusers("replace", () -> fs.setXAttr(file, LayoutPointer.XATTR, mark));
                // There or not, seen or not.
                Path none = new Path("/none");
                isForSuperusers("none", () -> fs.setXAttr(none, LayoutPointer.XATTR, mark));
                fs.setXAttr(file, "user.mine", mark);
                fs.removeXAttr(file, "user.mine");
              }
              return null;
            });
    String name = "&xattr.name=" + LayoutPointer.XATTR;
    isForSuperusers("web", () -> web("/mark/f", "REMOVEXATTR" + name, "PUT", "owner"));
    String set = "SETXATTR" + name + "&xattr.value=0x00&flag=REPLACE";
    isForSuperusers("web", () -> web("/mark/f", set, "PUT", "owner"));
    web("/mark/f", "SETXATTR&xattr.name=user.mine&xattr.value=0x00&flag=CREATE", "PUT", "owner");
    assertThat(stock.getXAttrs(file)).containsOnlyKeys(LayoutPointer.XATTR, "user.mine");
    assertThat(caso.read("/mark/f")).isEqualTo(content);
    stock.removeXAttr(file, LayoutPointer.XATTR);
    stock.setXAttr(file, LayoutPointer.XATTR, mark);
    assertThat(caso.readAs("owner", "/mark/f")).isEqualTo(content);
    assertThat(counter("ReservedNameRefusals")).isGreaterThanOrEqualTo(5);
  }

  private static void isForNameNodes(String call, Call made) {
    assertThatThrownBy(made::run)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot call " + call + ": client=__hdfsparity_level__, expected");
  }

  /** By these names a NameNode finds what another one has left in the middle of a change. */
  @Test
  void noClientTakesTheNamesOfNameNodes() throws Exception {
    String name = "__hdfsparity_level__";
    HdfsFileStatus made = create("/plain/holder", "other", EnumSet.of(CreateFlag.CREATE), null);
    long id = made.getFileId();
    isForNameNodes("create", () -> create("/plain/h", name, EnumSet.of(CreateFlag.CREATE), null));
    isForNameNodes(
        "append",
        () -> rpc().append("/none", name, new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND))));
    isForNameNodes(
        "addBlock", () -> rpc().addBlock("/plain/holder", name, null, null, id, null, null));
    LocatedBlock first = rpc().addBlock("/plain/holder", "other", null, null, id, null, null);
    ExtendedBlock block = first.getBlock();
    isForNameNodes("abandonBlock", () -> rpc().abandonBlock(block, id, "/plain/holder", name));
    isForNameNodes(
        "getAdditionalDatanode",
        () ->
            rpc()
                .getAdditionalDatanode(
                    "/plain/holder",
                    id,
                    block,
                    first.getLocations(),
                    first.getStorageIDs(),
                    new DatanodeInfo[0],
                    1,
                    name));
    isForNameNodes("complete", () -> rpc().complete("/plain/holder", name, block, id));
    isForNameNodes("truncate", () -> rpc().truncate("/plain/holder", 0, name));
    isForNameNodes("renewLease", () -> rpc().renewLease(name, List.of()));
    isForNameNodes("recoverLease", () -> rpc().recoverLease("/plain/holder", name));
    isForNameNodes("fsync", () -> rpc().fsync("/plain/holder", id, name, 0));
    isForNameNodes("updateBlockForPipeline", () -> rpc().updateBlockForPipeline(block, name));
    isForNameNodes(
        "updatePipeline",
        () -> rpc().updatePipeline(name, block, block, new DatanodeID[0], new String[0]));
    rpc().abandonBlock(block, id, "/plain/holder", "other");
    assertThat(rpc().complete("/plain/holder", "other", null, id)).isTrue();
  }
}

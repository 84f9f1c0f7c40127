/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Executable;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every member of Hadoop that the bridge reaches or overrides although it is not part of Hadoop's
 * public interface, by name. A Hadoop upgrade that changes one fails here, and the class named with
 * it has to be read again.
 */
class ReachedMembersTest {
  private static final String DN = "org.apache.hadoop.hdfs.server.datanode.";
  private static final String IMPL = DN + "fsdataset.impl.";
  private static final String BM = "org.apache.hadoop.hdfs.server.blockmanagement.";
  private static final String NN = "org.apache.hadoop.hdfs.server.namenode.";
  private static final String C = "org.apache.hadoop.hdfs.";
  private static final String EC = "org.apache.hadoop.io.erasurecode.rawcoder.";

  /** A member as it must be: parameter types by simple name; a field has none. */
  record Reached(
      String type, String member, String access, String result, List<String> parameters) {}

  private static Reached method(
      String type, String name, String access, String result, String... parameters) {
    return new Reached(type, name, access, result, List.of(parameters));
  }

  private static Reached field(String type, String name, String access, String result) {
    return new Reached(type, name, access, result, null);
  }

  private static Reached constructor(String type, String access, String... parameters) {
    return new Reached(type, "<init>", access, "", List.of(parameters));
  }

  static Stream<Reached> members() {
    return Stream.of(
        // GuardedEcPlacementPolicy
        constructor(BM + "BlockPlacementPolicy$NotEnoughReplicasException", "", "String"),
        method(
            BM + "BlockPlacementPolicyDefault",
            "isGoodDatanode",
            "",
            "boolean",
            "DatanodeDescriptor",
            "int",
            "boolean",
            "List",
            "boolean"),
        // GuardedEcPlacementPolicy, UnpairedPlacement, UnpairedLoad
        method(
            BM + "BlockPlacementPolicyDefault",
            "excludeNodeByLoad",
            "",
            "boolean",
            "DatanodeDescriptor"),
        method(
            BM + "BlockPlacementPolicyDefault",
            "getMaxNodesPerRack",
            "protected",
            "int[]",
            "int",
            "int"),
        constructor(BM + "StorageTypeStats", "", "StorageType"),
        method(BM + "StorageTypeStats", "addNode", "", "void", "DatanodeDescriptor"),
        // BlockMapGuard, BlockMapGuardInstaller, StripedSlots, StripedGroups
        field(BM + "BlocksMap", "blocks", "private", "GSet"),
        field(BM + "BlockManager", "blocksMap", "", "BlocksMap"),
        field(BM + "DatanodeManager", "blockManager", "private", "BlockManager"),
        field(BM + "BlockInfo", "triplets", "protected", "Object[]"),
        field(BM + "BlockInfoStriped", "ecPolicy", "private", "ErasureCodingPolicy"),
        field(BM + "BlockInfoStriped", "indices", "private", "byte[]"),
        field(BM + "BlockManager", "invalidateBlocks", "private", "InvalidateBlocks"),
        field(BM + "DatanodeDescriptor", "invalidateBlocks", "private", "LightWeightHashSet"),
        method(BM + "InvalidateBlocks", "getDatanodes", "", "List"),
        method(BM + "BlockInfoStriped", "getBlockOnStorage", "", "Block", "DatanodeStorageInfo"),
        method(
            BM + "DatanodeStorageInfo",
            "addBlock",
            "public",
            "AddBlockResult",
            "BlockInfo",
            "Block"),
        method(BM + "DatanodeStorageInfo", "getBlockReportCount", "public", "int"),
        method(BM + "DatanodeStorageInfo", "areBlockContentsStale", "public", "boolean"),
        field(BM + "BlockManager", "pendingReconstruction", "", "PendingReconstructionBlocks"),
        method(BM + "PendingReconstructionBlocks", "getNumReplicas", "", "int", "BlockInfo"),
        method(BM + "CorruptReplicasMap", "numCorruptReplicas", "", "int", "Block"),
        method(BM + "BlockManager", "addToInvalidates", "", "void", "Block", "DatanodeInfo"),
        method(
            BM + "BlockManager",
            "removeStoredBlock",
            "public",
            "void",
            "BlockInfo",
            "DatanodeDescriptor"),
        method(BM + "BlockManager", "forceCompleteBlock", "public", "void", "BlockInfo"),
        method(BM + "BlockManager", "checkRedundancy", "public", "void", "BlockCollection"),
        method(BM + "BlockManager", "isPopulatingReplQueues", "public", "boolean"),
        // ParityUnits
        method(
            BM + "BlockIdManager",
            "getBlockGroupIdGenerator",
            "",
            "SequentialBlockGroupIdGenerator"),
        field(BM + "LowRedundancyBlocks", "LEVEL", "", "int"),
        // LevelEdits, StripedLevels
        field(NN + "INodeFile", "header", "private", "long"),
        method(NN + "INodeFile$HeaderFormat", "toLong", "", "long", "long", "long", "byte"),
        method(
            NN + "INodeFile$HeaderFormat",
            "getBlockLayoutRedundancy",
            "",
            "long",
            "BlockType",
            "Short",
            "Byte"),
        method(NN + "FSEditLog", "logEdit", "", "void", "FSEditLogOp"),
        method(NN + "FSEditLog", "logTimes", "", "void", "String", "long", "long"),
        method(NN + "FSEditLog", "logSyncAll", "", "void"),
        method(NN + "FSEditLog", "isOpenForWrite", "", "boolean"),
        method(NN + "FSEditLogOp$AddOp", "getInstance", "", "AddOp", "OpInstanceCache"),
        method(NN + "FSEditLogOp$CloseOp", "getInstance", "", "CloseOp", "OpInstanceCache"),
        method(
            NN + "FSDirectory",
            "updateCount",
            "",
            "void",
            "INodesInPath",
            "long",
            "long",
            "short",
            "boolean"),
        method(NN + "FSDirectory", "verifyMaxDirItems", "", "void", "INodeDirectory", "String"),
        method(NN + "FSDirectory", "verifyMaxComponentLength", "", "void", "byte[]", "String"),
        method(NN + "FSDirectory", "checkOwner", "", "void", "FSPermissionChecker", "INodesInPath"),
        method(NN + "FSNamesystem", "checkNameNodeSafeMode", "", "void", "String"),
        method(NN + "FSNamesystem", "getPermissionChecker", "", "FSPermissionChecker"),
        method(NN + "FSNamesystem", "getLeaseManager", "", "LeaseManager"),
        method(NN + "FSNamesystem", "logAuditEvent", "", "void", "boolean", "String", "String"),
        method(NN + "LeaseManager", "getINodeIdWithLeases", "", "Collection"),
        method(NN + "LeaseManager", "reassignLease", "", "Lease", "Lease", "INodeFile", "String"),
        method(NN + "LeaseManager", "renewLease", "", "void", "String"),
        method(NN + "LeaseManager", "removeLease", "", "void", "long"),
        method(NN + "INodeFile", "toCompleteFile", "", "void", "long", "int", "short"),
        method(
            NN + "FSDirEncryptionZoneOp", "isInAnEZ", "", "boolean", "FSDirectory", "INodesInPath"),
        // FileSwap
        method(
            NN + "FSDirRenameOp",
            "unprotectedRenameTo",
            "",
            "RenameResult",
            "FSDirectory",
            "INodesInPath",
            "INodesInPath",
            "long",
            "BlocksMapUpdateInfo",
            "Rename[]"),
        method(
            NN + "FSEditLog",
            "logRename",
            "",
            "void",
            "String",
            "String",
            "long",
            "boolean",
            "Rename[]"),
        method(NN + "FSNamesystem", "checkSuperuserPrivilege", "", "void", "String", "String"),
        method(BM + "BlockManager", "addBLocksToMarkedDeleteQueue", "public", "void", "List"),
        // FileJoin
        method(
            NN + "FSDirConcatOp",
            "concat",
            "",
            "FileStatus",
            "FSDirectory",
            "FSPermissionChecker",
            "String",
            "String[]",
            "boolean"),
        method(NN + "FSDirectory", "disableQuotaChecks", "", "void"),
        method(NN + "FSDirectory", "enableQuotaChecks", "", "void"),
        method(NN + "FSDirectory", "shouldSkipQuotaChecks", "", "boolean"),
        method(
            NN + "FSDirectory",
            "unprotectedUpdateCount",
            "",
            "void",
            "INodesInPath",
            "int",
            "QuotaCounts"),
        // GroupReplacer
        method(
            NN + "FSDirDeleteOp",
            "delete",
            "",
            "long",
            "FSDirectory",
            "INodesInPath",
            "BlocksMapUpdateInfo",
            "List",
            "List",
            "long"),
        method(NN + "FSEditLog", "logDelete", "", "void", "String", "long", "boolean"),
        method(NN + "FSNamesystem", "removeLeasesAndINodes", "", "void", "List", "List", "boolean"),
        method(
            NN + "FSDirectory",
            "checkPermission",
            "",
            "void",
            "FSPermissionChecker",
            "INodesInPath",
            "boolean",
            "FsAction",
            "FsAction",
            "FsAction",
            "FsAction",
            "boolean"),
        method(NN + "INodeFile", "setBlock", "public", "void", "int", "BlockInfo"),
        // FileHolders, UpdateFiles, WriteTokens
        field(NN + "NameNode", "plugins", "private", "List"),
        method(
            NN + "FSDirAttrOp",
            "unprotectedSetTimes",
            "",
            "boolean",
            "FSDirectory",
            "INodesInPath",
            "long",
            "long",
            "boolean"),
        method(
            NN + "FSDirectory",
            "checkPathAccess",
            "",
            "void",
            "FSPermissionChecker",
            "INodesInPath",
            "FsAction"),
        method(NN + "NameNode", "getLastHATransitionTime", "public", "long"),
        method(NN + "FSImage", "getCorrectLastAppliedOrWrittenTxId", "public", "long"),
        method(BM + "BlockManager", "isBlockTokenEnabled", "protected", "boolean"),
        // ParityFsDataset, DatasetAccessView
        constructor(IMPL + "FsDatasetImpl", "", "DataNode", "DataStorage", "Configuration"),
        field(IMPL + "FsDatasetImpl", "volumeMap", "", "ReplicaMap"),
        field(IMPL + "FsDatasetImpl", "storageMap", "", "Map"),
        field(IMPL + "FsDatasetImpl", "dataStorage", "", "DataStorage"),
        method(DN + "DataStorage", "removeVolumes", "", "void", "Collection"),
        method(DN + "BlockScanner", "markSuspectBlock", "", "void", "String", "ExtendedBlock"),
        field(IMPL + "FsDatasetImpl", "datanode", "", "DataNode"),
        field(IMPL + "FsDatasetImpl", "cacheManager", "", "FsDatasetCache"),
        method(
            IMPL + "FsDatasetImpl",
            "createFsVolume",
            "public",
            "FsVolumeImpl",
            "String",
            "StorageDirectory",
            "StorageLocation"),
        method(IMPL + "FsDatasetImpl", "addVolume", "public", "void", "StorageLocation", "List"),
        method(IMPL + "FsDatasetImpl", "removeVolumes", "public", "void", "Collection", "boolean"),
        method(IMPL + "FsDatasetImpl", "addBlockPool", "public", "void", "String", "Configuration"),
        method(IMPL + "FsDatasetImpl", "handleVolumeFailures", "public", "void", "Set"),
        method(IMPL + "FsDatasetImpl", "hasEnoughResource", "public", "boolean"),
        method(IMPL + "FsDatasetImpl", "checkAndUpdate", "public", "void", "String", "ScanInfo"),
        method(IMPL + "FsDatasetImpl", "removeDeletedBlocks", "public", "void", "String", "Set"),
        method(
            IMPL + "FsDatasetImpl",
            "recoverClose",
            "public",
            "Replica",
            "ExtendedBlock",
            "long",
            "long"),
        method(
            IMPL + "FsDatasetImpl",
            "recoverRbw",
            "public",
            "ReplicaHandler",
            "ExtendedBlock",
            "long",
            "long",
            "long"),
        method(
            IMPL + "FsDatasetImpl",
            "recoverAppend",
            "public",
            "ReplicaHandler",
            "ExtendedBlock",
            "long",
            "long"),
        method(
            IMPL + "FsDatasetImpl",
            "updateReplicaUnderRecovery",
            "public",
            "Replica",
            "ExtendedBlock",
            "long",
            "long",
            "long"),
        method(
            IMPL + "FsDatasetImpl",
            "createRbw",
            "public",
            "ReplicaHandler",
            "StorageType",
            "String",
            "ExtendedBlock",
            "boolean",
            "long"),
        method(
            IMPL + "FsDatasetImpl",
            "createTemporary",
            "public",
            "ReplicaHandler",
            "StorageType",
            "String",
            "ExtendedBlock",
            "boolean"),
        method(
            IMPL + "FsDatasetImpl",
            "append",
            "public",
            "ReplicaHandler",
            "ExtendedBlock",
            "long",
            "long"),
        method(
            IMPL + "FsDatasetImpl",
            "moveBlockAcrossVolumes",
            "public",
            "ReplicaInfo",
            "ExtendedBlock",
            "FsVolumeSpi"),
        method(
            IMPL + "FsDatasetImpl",
            "moveBlockAcrossStorage",
            "public",
            "ReplicaInfo",
            "ExtendedBlock",
            "StorageType",
            "String"),
        method(IMPL + "ReplicaMap", "get", "", "ReplicaInfo", "String", "long"),
        method(IMPL + "ReplicaMap", "replicas", "", "void", "String", "Consumer"),
        method(IMPL + "FsDatasetCache", "initCache", "public", "void", "String"),
        method(IMPL + "AddBlockPoolException", "getFailingVolumes", "public", "Map"),
        field(DN + "DataNode", "blockPoolTokenSecretManager", "", "BlockPoolTokenSecretManager"),
        method(DN + "DataNode", "handleVolumeFailures", "public", "void", "Set"),
        method(DN + "DataNode", "checkDiskErrorAsync", "public", "void", "FsVolumeSpi"),
        method(
            DN + "DataNode",
            "notifyNamenodeReceivedBlock",
            "public",
            "void",
            "ExtendedBlock",
            "String",
            "String",
            "boolean"),
        // ParityVolume
        constructor(
            IMPL + "FsVolumeImpl",
            "",
            "FsDatasetImpl",
            "String",
            "StorageDirectory",
            "FileIoProvider",
            "Configuration",
            "DF"),
        method(
            IMPL + "FsVolumeImpl",
            "addFinalizedBlock",
            "",
            "ReplicaInfo",
            "String",
            "Block",
            "ReplicaInfo",
            "long"),
        method(IMPL + "FsVolumeImpl", "getBlockPoolUsed", "", "long", "String"),
        method(
            IMPL + "FsVolumeImpl",
            "newBlockIterator",
            "public",
            "BlockIterator",
            "String",
            "String"),
        method(IMPL + "FsVolumeImpl", "getBlockPoolSlice", "", "BlockPoolSlice", "String"),
        method(IMPL + "FsVolumeImpl", "getActualNonDfsUsed", "", "long"),
        method(IMPL + "FsVolumeImpl", "getDfAvailable", "", "long"),
        method(IMPL + "FsVolumeImpl", "getRbwDir", "protected", "File", "String"),
        method(IMPL + "FsVolumeImpl", "getTmpDir", "protected", "File", "String"),
        method(IMPL + "FsVolumeImpl", "getFinalizedDir", "public", "File", "String"),
        method(IMPL + "FsVolumeImpl", "createRbw", "public", "ReplicaInPipeline", "ExtendedBlock"),
        method(
            IMPL + "FsVolumeImpl",
            "createTemporary",
            "public",
            "ReplicaInPipeline",
            "ExtendedBlock"),
        method(
            IMPL + "FsVolumeImpl",
            "convertTemporaryToRbw",
            "public",
            "ReplicaInPipeline",
            "ExtendedBlock",
            "ReplicaInfo"),
        method(
            IMPL + "FsVolumeImpl",
            "append",
            "public",
            "ReplicaInPipeline",
            "String",
            "ReplicaInfo",
            "long",
            "long"),
        method(
            IMPL + "FsVolumeImpl",
            "updateRURCopyOnTruncate",
            "public",
            "ReplicaInPipeline",
            "ReplicaInfo",
            "String",
            "long",
            "long",
            "long"),
        method(
            IMPL + "FsVolumeImpl",
            "moveBlockToTmpLocation",
            "public",
            "ReplicaInfo",
            "ExtendedBlock",
            "ReplicaInfo",
            "int",
            "Configuration"),
        method(
            IMPL + "FsVolumeImpl",
            "hardLinkBlockToTmpLocation",
            "public",
            "ReplicaInfo",
            "ExtendedBlock",
            "ReplicaInfo"),
        method(
            IMPL + "FsVolumeImpl",
            "copyBlockToLazyPersistLocation",
            "public",
            "File[]",
            "String",
            "long",
            "long",
            "ReplicaInfo",
            "int",
            "Configuration"),
        // ParityFileIoProvider, PacketReportingReplica, ReplicaFileName
        method(DN + "FileIoProvider", "delete", "public", "boolean", "FsVolumeSpi", "File"),
        method(
            DN + "FileIoProvider",
            "deleteWithExistsCheck",
            "public",
            "boolean",
            "FsVolumeSpi",
            "File"),
        method(DN + "FileIoProvider", "fullyDelete", "public", "boolean", "FsVolumeSpi", "File"),
        method(DN + "FileIoProvider", "rename", "public", "void", "FsVolumeSpi", "File", "File"),
        method(DN + "FileIoProvider", "moveFile", "public", "void", "FsVolumeSpi", "File", "File"),
        method(
            DN + "FileIoProvider",
            "move",
            "public",
            "void",
            "FsVolumeSpi",
            "Path",
            "Path",
            "CopyOption[]"),
        method(
            DN + "FileIoProvider",
            "getRandomAccessFile",
            "public",
            "RandomAccessFile",
            "FsVolumeSpi",
            "File",
            "String"),
        method(
            DN + "ProfilingFileIoEvents",
            "beforeMetadataOp",
            "public",
            "long",
            "FsVolumeSpi",
            "OPERATION"),
        method(
            DN + "ProfilingFileIoEvents",
            "afterMetadataOp",
            "public",
            "void",
            "FsVolumeSpi",
            "OPERATION",
            "long"),
        method(
            DN + "ProfilingFileIoEvents",
            "beforeFileIo",
            "public",
            "long",
            "FsVolumeSpi",
            "OPERATION",
            "long"),
        method(
            DN + "ProfilingFileIoEvents",
            "afterFileIo",
            "public",
            "void",
            "FsVolumeSpi",
            "OPERATION",
            "long",
            "long"),
        method(DN + "ProfilingFileIoEvents", "onFailure", "public", "void", "FsVolumeSpi", "long"),
        field(DN + "BlockPoolSliceStorage", "TRASH_ROOT_DIR", "", "String"),
        method(
            DN + "LocalReplicaInPipeline",
            "setLastChecksumAndDataLen",
            "public",
            "void",
            "long",
            "byte[]"),
        method(
            DN + "LocalReplicaInPipeline",
            "createStreams",
            "public",
            "ReplicaOutputStreams",
            "boolean",
            "DataChecksum"),
        constructor(DN + "ReplicaBeingWritten", "public", "ReplicaBeingWritten"),
        // StorageView
        method(
            DN + "DataStorage",
            "prepareVolume",
            "public",
            "VolumeBuilder",
            "DataNode",
            "StorageLocation",
            "List"),
        constructor(DN + "DataStorage$VolumeBuilder", "public", "DataStorage", "StorageDirectory"),
        // HintedEcPlacementPolicy, PlacementHints
        field(BM + "BlockManager", "namesystem", "private", "Namesystem"),
        method(
            BM + "BlockPlacementPolicyDefault",
            "chooseTarget",
            "",
            "DatanodeStorageInfo[]",
            "String",
            "int",
            "Node",
            "Set",
            "long",
            "List",
            "BlockStoragePolicy",
            "EnumSet"),
        method(NN + "FSDirectory", "getINode", "public", "INode", "String"),
        method(NN + "FSDirectory", "getInode", "public", "INode", "long"),
        // PairPlacementPolicy, HintedEcPlacementPolicy
        method(
            BM + "BlockPlacementPolicy",
            "chooseTarget",
            "",
            "DatanodeStorageInfo[]",
            "String",
            "int",
            "Node",
            "Set",
            "long",
            "List",
            "BlockStoragePolicy",
            "EnumSet"),
        method(
            BM + "BlockPlacementPolicy",
            "initialize",
            "protected",
            "void",
            "Configuration",
            "FSClusterStats",
            "NetworkTopology",
            "Host2NodesMap"),
        method(BM + "DatanodeStorageInfo", "getState", "", "State"),
        method(BM + "DatanodeStorageInfo", "getRemaining", "", "long"),
        method(
            BM + "BlockManager",
            "chooseTarget4NewBlock",
            "public",
            "DatanodeStorageInfo[]",
            "String",
            "int",
            "Node",
            "Set",
            "long",
            "List",
            "byte",
            "BlockType",
            "ErasureCodingPolicy",
            "EnumSet"),
        // NameNodeAccess, SuperuserCheck
        method(BM + "DatanodeStorageInfo", "getCapacity", "", "long"),
        method(BM + "DatanodeStorageInfo", "getDfsUsed", "", "long"),
        method(BM + "DatanodeStorageInfo", "getBlockIterator", "", "Iterator"),
        method(BM + "DatanodeStorageInfo", "numBlocks", "", "int"),
        method(BM + "BlockManager", "getCorruptReplicaBlockIterator", "public", "Iterator"),
        method(BM + "BlockManager", "countNodes", "public", "NumberReplicas", "BlockInfo"),
        method(BM + "BlockManager", "getStorages", "public", "DatanodeStorageInfo[]", "BlockInfo"),
        method(BM + "BlockManager", "numOfUnderReplicatedBlocks", "public", "int"),
        method(BM + "DatanodeManager", "getDatanodes", "public", "Set"),
        field(BM + "BlockManager", "corruptReplicas", "", "CorruptReplicasMap"),
        field(BM + "BlockManager", "neededReconstruction", "public", "LowRedundancyBlocks"),
        method(
            BM + "BlockManager",
            "hasEnoughEffectiveReplicas",
            "",
            "boolean",
            "BlockInfo",
            "NumberReplicas",
            "int"),
        method(BM + "CorruptReplicasMap", "getCorruptBlocksSet", "", "Set"),
        method(
            BM + "CorruptReplicasMap",
            "isReplicaCorrupt",
            "",
            "boolean",
            "Block",
            "DatanodeDescriptor"),
        method(
            BM + "CorruptReplicasMap",
            "removeFromCorruptReplicasMap",
            "",
            "boolean",
            "BlockInfo",
            "DatanodeDescriptor"),
        method(
            BM + "LowRedundancyBlocks",
            "add",
            "",
            "boolean",
            "BlockInfo",
            "int",
            "int",
            "int",
            "int"),
        method(BM + "LowRedundancyBlocks", "remove", "", "boolean", "BlockInfo", "int"),
        method(DN + "FinalizedReplica", "setLastPartialChunkChecksum", "public", "void", "byte[]"),
        method(NN + "FSNamesystem", "checkSuperuserPrivilege", "", "void", "String"),
        // ClientGuard, GuardedFiles
        field(NN + "NameNodeRpcServer", "clientRpcServer", "protected", "Server"),
        method(NN + "NameNodeRpcServer", "getServiceRpcServer", "", "Server"),
        method(NN + "NameNodeRpcServer", "checkNNStartup", "private", "void"),
        method(
            NN + "FSDirectory",
            "resolvePath",
            "public",
            "INodesInPath",
            "FSPermissionChecker",
            "String",
            "DirOp"),
        method(
            NN + "FSDirErasureCodingOp",
            "getErasureCodingPolicy",
            "",
            "ErasureCodingPolicy",
            "FSNamesystem",
            "String",
            "INodesInPath"),
        method(NN + "INodeFile", "getDiffs", "public", "FileDiffList"),
        // GuardedWebHdfs, ReservedNames
        method(NN + "NameNode", "getHttpServer", "public", "HttpServer2"),
        method(
            NN + "NameNodeHttpServer",
            "initWebHdfs",
            "public",
            "void",
            "Configuration",
            "HttpServer2",
            "String"),
        method(
            NN + "web.resources.NamenodeWebHdfsMethods",
            "getRpcClientProtocol",
            "protected",
            "ClientProtocol"),
        method(
            NN + "web.resources.NamenodeWebHdfsMethods",
            "getContext",
            "protected",
            "ServletContext"),
        method(NN + "FSNamesystem", "isPermissionEnabled", "", "boolean"),
        // AuditLoggers
        field(NN + "FSNamesystem", "auditLoggers", "private", "List"),
        // DelegationTokens
        method(
            NN + "FSNamesystem",
            "getDelegationTokenSecretManager",
            "",
            "DelegationTokenSecretManager"),
        method(NN + "FSNamesystem", "readLock", "public", "void", "RwLockMode"),
        method(NN + "FSNamesystem", "readUnlock", "public", "void", "RwLockMode", "String"),
        method(NN + "NameNode", "getNamesystem", "public", "FSNamesystem"),
        method(NN + "NameNode", "isActiveState", "public", "boolean"),
        // BufferRawEncoder, BufferRawDecoder
        method(
            EC + "RawErasureEncoder", "doEncode", "protected", "void", "ByteBufferEncodingState"),
        method(EC + "RawErasureEncoder", "doEncode", "protected", "void", "ByteArrayEncodingState"),
        method(
            EC + "RawErasureDecoder", "doDecode", "protected", "void", "ByteBufferDecodingState"),
        method(EC + "RawErasureDecoder", "doDecode", "protected", "void", "ByteArrayDecodingState"),
        field(EC + "ByteBufferEncodingState", "inputs", "", "ByteBuffer[]"),
        field(EC + "ByteBufferEncodingState", "outputs", "", "ByteBuffer[]"),
        field(EC + "ByteArrayEncodingState", "inputs", "", "byte[][]"),
        field(EC + "ByteArrayEncodingState", "inputOffsets", "", "int[]"),
        field(EC + "ByteArrayEncodingState", "outputs", "", "byte[][]"),
        field(EC + "ByteArrayEncodingState", "outputOffsets", "", "int[]"),
        field(EC + "EncodingState", "encodeLength", "", "int"),
        field(EC + "ByteBufferDecodingState", "inputs", "", "ByteBuffer[]"),
        field(EC + "ByteBufferDecodingState", "outputs", "", "ByteBuffer[]"),
        field(EC + "ByteBufferDecodingState", "erasedIndexes", "", "int[]"),
        field(EC + "ByteArrayDecodingState", "inputs", "", "byte[][]"),
        field(EC + "ByteArrayDecodingState", "inputOffsets", "", "int[]"),
        field(EC + "ByteArrayDecodingState", "outputs", "", "byte[][]"),
        field(EC + "ByteArrayDecodingState", "outputOffsets", "", "int[]"),
        field(EC + "ByteArrayDecodingState", "erasedIndexes", "", "int[]"),
        field(EC + "DecodingState", "decodeLength", "", "int"),
        // FeatureHdfs
        constructor("org.apache.hadoop.fs.Hdfs", "", "URI", "Configuration"),
        field("org.apache.hadoop.fs.Hdfs", "dfs", "", "DFSClient"),
        // FeatureFileSystem, FeatureClient
        method(C + "DistributedFileSystem", "initDFSClient", "", "void", "URI", "Configuration"),
        field(C + "DistributedFileSystem", "dfs", "", "DFSClient"),
        method(C + "DFSClient", "checkOpen", "", "void"),
        method(C + "DFSClient", "newPathTraceScope", "", "TraceScope", "String", "String"),
        method(C + "DFSClient", "open", "public", "DFSInputStream", "String", "int", "boolean"),
        method(
            C + "DFSClient",
            "open",
            "public",
            "DFSInputStream",
            "HdfsPathHandle",
            "int",
            "boolean"),
        constructor(C + "DFSInputStream", "", "DFSClient", "String", "boolean", "LocatedBlocks"),
        // DecodingInputStream, ReplicaReads
        constructor(
            C + "DFSStripedInputStream",
            "",
            "DFSClient",
            "String",
            "boolean",
            "ErasureCodingPolicy",
            "LocatedBlocks"),
        method(C + "DFSStripedInputStream", "blockSeekTo", "", "void", "long"),
        method(
            C + "DFSStripedInputStream", "updateReadStats", "", "void", "BlockReadStats", "long"),
        method(C + "DFSStripedInputStream", "closeReader", "protected", "void", "BlockReaderInfo"),
        method(C + "DFSStripedInputStream", "getBufferPool", "protected", "ByteBufferPool"),
        method(
            C + "DFSStripedInputStream",
            "getStripedReadsThreadPool",
            "protected",
            "ThreadPoolExecutor"),
        method(
            C + "DFSStripedInputStream",
            "fetchBlockByteRange",
            "protected",
            "void",
            "LocatedBlock",
            "long",
            "long",
            "ByteBuffer",
            "CorruptedBlocks",
            "Map"),
        method(
            C + "DFSStripedInputStream", "readWithStrategy", "protected", "int", "ReaderStrategy"),
        method(C + "DFSStripedInputStream", "closeCurrentBlockReaders", "protected", "void"),
        method(C + "DFSStripedInputStream", "seek", "public", "void", "long"),
        method(C + "DFSStripedInputStream", "unbuffer", "public", "void"),
        method(C + "DFSStripedInputStream", "close", "public", "void"),
        method(C + "DFSInputStream", "getBlockAt", "protected", "LocatedBlock", "long"),
        method(C + "DFSInputStream", "fetchBlockAt", "protected", "LocatedBlock", "long"),
        method(C + "DFSInputStream", "addToLocalDeadNodes", "protected", "void", "DatanodeInfo"),
        method(C + "DFSInputStream", "getLocalDeadNodes", "protected", "ConcurrentHashMap"),
        method(C + "DFSInputStream", "getDFSClient", "protected", "DFSClient"),
        // InodeStreams
        field(C + "DFSInputStream", "dfsClient", "protected", "DFSClient"),
        field(C + "DFSInputStream", "verifyChecksum", "protected", "boolean"),
        method(C + "DFSInputStream", "getLocatedBlocks", "protected", "LocatedBlocks"),
        method(C + "DFSInputStream", "getSrc", "protected", "String"),
        method(C + "DFSInputStream", "getCurrentBlockLocationsLength", "protected", "int"),
        method(
            C + "DFSInputStream",
            "reportCheckSumFailure",
            "protected",
            "void",
            "CorruptedBlocks",
            "int",
            "boolean"),
        method(
            C + "DFSInputStream",
            "getBestNodeDNAddrPair",
            "protected",
            "DNAddrPair",
            "LocatedBlock",
            "Collection"),
        method(
            C + "DFSInputStream",
            "getBlockReader",
            "protected",
            "BlockReader",
            "LocatedBlock",
            "long",
            "long",
            "InetSocketAddress",
            "StorageType",
            "DatanodeInfo"),
        method(
            C + "DFSInputStream",
            "tokenRefetchNeeded",
            "protected",
            "boolean",
            "IOException",
            "InetSocketAddress"),
        field(C + "DFSInputStream$DNAddrPair", "info", "", "DatanodeInfo"),
        field(C + "DFSInputStream$DNAddrPair", "addr", "", "InetSocketAddress"),
        field(C + "DFSInputStream$DNAddrPair", "storageType", "", "StorageType"),
        constructor(C + "StripeReader$ReaderRetryPolicy", ""),
        field(C + "DFSInputStream", "dfsClient", "protected", "DFSClient"),
        field(C + "DFSInputStream", "closed", "protected", "AtomicBoolean"),
        field(C + "DFSInputStream", "src", "protected", "String"),
        field(C + "DFSInputStream", "pos", "protected", "long"),
        field(C + "DFSInputStream", "currentLocatedBlock", "protected", "LocatedBlock"),
        field(C + "DFSInputStream", "locatedBlocks", "protected", "LocatedBlocks"),
        field(C + "DFSInputStream", "infoLock", "protected", "Object"),
        field(C + "StripeReader$BlockReaderInfo", "reader", "", "BlockReader"),
        field(C + "StripeReader$BlockReaderInfo", "datanode", "", "DatanodeInfo"),
        field(C + "StripeReader$BlockReaderInfo", "blockReaderOffset", "", "long"),
        method(C + "StripeReader$BlockReaderInfo", "setOffset", "", "void", "long"),
        method(C + "ReaderStrategy", "getTargetLength", "public", "int"),
        method(C + "ReaderStrategy", "readFromBuffer", "public", "int", "ByteBuffer", "int"),
        // CheckedInputStream, CheckedStripedInputStream
        method(
            C + "DFSInputStream",
            "chooseDataNode",
            "",
            "DNAddrPair",
            "LocatedBlock",
            "Collection",
            "boolean"),
        method(
            C + "DFSInputStream",
            "fetchBlockByteRange",
            "protected",
            "void",
            "LocatedBlock",
            "long",
            "long",
            "ByteBuffer",
            "CorruptedBlocks",
            "Map"),
        method(
            C + "DFSStripedInputStream",
            "createBlockReader",
            "",
            "boolean",
            "LocatedBlock",
            "long",
            "LocatedBlock[]",
            "BlockReaderInfo[]",
            "int",
            "long"),
        field(C + "DFSInputStream", "blockEnd", "protected", "long"),
        method(
            C + "DFSClient",
            "getLocatedBlocks",
            "public",
            "LocatedBlocks",
            "String",
            "long",
            "long"),
        // SnapshotServing, SnapshotReplica
        method(IMPL + "FsDatasetImpl", "getReplica", "public", "ReplicaInfo", "String", "long"),
        method(
            IMPL + "FsDatasetImpl",
            "getMetaDataInputStream",
            "public",
            "LengthInputStream",
            "ExtendedBlock"),
        method(
            IMPL + "FsDatasetImpl",
            "getBlockInputStream",
            "public",
            "InputStream",
            "ExtendedBlock",
            "long"),
        method(
            IMPL + "FsDatasetImpl",
            "getBlockLocalPathInfo",
            "public",
            "BlockLocalPathInfo",
            "ExtendedBlock"),
        method(IMPL + "FsDatasetImpl", "getPinning", "public", "boolean", "ExtendedBlock"),
        method(IMPL + "FsDatasetImpl", "cache", "public", "void", "String", "long[]"),
        method(IMPL + "FsDatasetImpl", "getBlockReports", "public", "Map", "String"),
        constructor(DN + "LocalReplica", "", "LocalReplica"),
        // ReadCallers, by the names of frames and threads
        method(DN + "DataXceiver", "updateCurrentThreadName", "private", "void", "String"),
        method(
            DN + "DataXceiver",
            "readBlock",
            "public",
            "void",
            "ExtendedBlock",
            "Token",
            "String",
            "long",
            "long",
            "boolean",
            "CachingStrategy"),
        method(DN + "DataXceiver", "copyBlock", "public", "void", "ExtendedBlock", "Token"),
        method(
            DN + "DataXceiver",
            "blockChecksum",
            "public",
            "void",
            "ExtendedBlock",
            "Token",
            "BlockChecksumOptions"),
        method(
            DN + "DataXceiver",
            "blockGroupChecksum",
            "public",
            "void",
            "StripedBlockInfo",
            "Token",
            "long",
            "BlockChecksumOptions"),
        method(
            DN + "DataNode",
            "requestShortCircuitFdsForRead",
            "",
            "FileInputStream[]",
            "ExtendedBlock",
            "Token",
            "int"),
        method(DN + "DataNode$DataTransfer", "run", "public", "void"),
        method(DN + "VolumeScanner", "scanBlock", "private", "long", "ExtendedBlock", "long"));
  }

  @ParameterizedTest
  @MethodSource("members")
  void isAsItWasRead(Reached reached) throws Exception {
    // Not initialized: some of these classes start machinery when they are.
    Class<?> type = Class.forName(reached.type(), false, getClass().getClassLoader());
    Stream<? extends Member> named =
        reached.parameters() == null
            ? Arrays.stream(type.getDeclaredFields())
                .filter(f -> f.getName().equals(reached.member()))
                .filter(f -> f.getType().getSimpleName().equals(reached.result()))
            : executables(type, reached).filter(e -> names(e).equals(reached.parameters()));
    List<? extends Member> found = named.filter(m -> access(m).equals(reached.access())).toList();
    assertThat(found).as("%s, with this access, result and parameters", reached).hasSize(1);
    assertThat(Modifier.isFinal(found.get(0).getModifiers()) && reached.parameters() != null)
        .as("%s can be overridden", reached)
        .isFalse();
  }

  private static Stream<? extends Executable> executables(Class<?> type, Reached reached) {
    if (reached.member().equals("<init>")) {
      return Arrays.stream(type.getDeclaredConstructors());
    }
    return Arrays.stream(type.getDeclaredMethods())
        .filter(m -> m.getName().equals(reached.member()) && !m.isBridge())
        .filter(m -> m.getReturnType().getSimpleName().equals(reached.result()));
  }

  private static List<String> names(Executable executable) {
    return Arrays.stream(executable.getParameterTypes()).map(Class::getSimpleName).toList();
  }

  private static String access(Member member) {
    int modifiers = member.getModifiers();
    if (Modifier.isPublic(modifiers)) {
      return "public";
    }
    return Modifier.isProtected(modifiers)
        ? "protected"
        : Modifier.isPrivate(modifiers) ? "private" : "";
  }

  /**
   * BlockMapGuardInstaller comes from the stats that a placement policy gets to the block manager.
   */
  @Test
  void clusterStatsKnowTheirDatanodeManager() throws Exception {
    Class<?> type = Class.forName(BM + "DatanodeManager", false, getClass().getClassLoader());
    Class<?> stats = type.getDeclaredMethod("newFSClusterStats").getReturnType();
    assertThat(
            Arrays.stream(new int[] {1, 2, 3, 4, 5, 6})
                .mapToObj(i -> anonymous(type, i))
                .filter(c -> c != null && stats.isAssignableFrom(c))
                .map(c -> access(declared(c, "this$0"))))
        .containsExactly("");
  }

  private static Class<?> anonymous(Class<?> type, int number) {
    try {
      return Class.forName(type.getName() + "$" + number, false, type.getClassLoader());
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static Member declared(Class<?> type, String field) {
    try {
      return type.getDeclaredField(field);
    } catch (NoSuchFieldException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theBridgeWasReadAgainstThisVersion() {
    assertThat(VersionInfo.getVersion()).isEqualTo("3.5.0");
  }

  /**
   * FeatureClient overrides the two that make a stream, and the one that wraps it; one more would
   * pass it by.
   */
  @Test
  void clientHasNoOtherWayToOpenFiles() throws Exception {
    Class<?> type = Class.forName(C + "DFSClient", false, getClass().getClassLoader());
    assertThat(
            Arrays.stream(type.getDeclaredMethods())
                .filter(m -> m.getReturnType().getSimpleName().endsWith("InputStream"))
                .map(m -> m.getName() + names(m)))
        .containsExactlyInAnyOrder(
            "open[String]",
            "open[String, int, boolean]",
            "open[String, int, boolean, Statistics]",
            "open[HdfsPathHandle, int, boolean]",
            "openInternal[LocatedBlocks, String, boolean]",
            "createWrappedInputStream[DFSInputStream]",
            "getInotifyEventStream[]",
            "getInotifyEventStream[long]");
  }

  /** FeatureClient overrides all of these; one more would change files in stored order. */
  @Test
  void clientHasNoOtherWayToChangeLengths() throws Exception {
    Class<?> type = Class.forName(C + "DFSClient", false, getClass().getClassLoader());
    assertThat(
            Arrays.stream(type.getDeclaredMethods())
                .filter(m -> Modifier.isPublic(m.getModifiers()) && !m.isSynthetic())
                .filter(
                    m ->
                        m.getName()
                            .matches("(?i).*(append|truncate|concat|primitiveCreate|checksum).*"))
                .map(m -> m.getName() + names(m)))
        .containsExactlyInAnyOrder(
            "append[String, int, EnumSet, Progressable, Statistics]",
            "append[String, int, EnumSet, Progressable, Statistics, InetSocketAddress[]]",
            "primitiveCreate[String, FsPermission, EnumSet, boolean, short, long, Progressable, int,"
                + " ChecksumOpt]",
            "truncate[String, long]",
            "concat[String, String[]]",
            "getFileChecksum[String, long]",
            "getFileChecksumWithCombineMode[String, long]");
  }

  /**
   * The bridge intercepts FileIoProvider by overriding: a new way to delete, move or cut a file
   * would pass it by. So the list of its public methods is known.
   */
  @Test
  void fileIoProviderHasNoOtherWayToChangeFiles() throws Exception {
    Class<?> type = Class.forName(DN + "FileIoProvider", false, getClass().getClassLoader());
    assertThat(
            Arrays.stream(type.getDeclaredMethods())
                .filter(m -> Modifier.isPublic(m.getModifiers()))
                .map(java.lang.reflect.Method::getName)
                .distinct())
        .containsExactlyInAnyOrder(
            "flush",
            "sync",
            "dirSync",
            "syncFileRange",
            "posixFadvise",
            "delete",
            "deleteWithExistsCheck",
            "transferToSocketFully",
            "createFile",
            "getFileInputStream",
            "getFileOutputStream",
            "getShareDeleteFileInputStream",
            "openAndSeek",
            "getRandomAccessFile",
            "fullyDelete",
            "replaceFile",
            "rename",
            "moveFile",
            "move",
            "nativeCopyFileUnbuffered",
            "mkdirs",
            "mkdirsWithExistsCheck",
            "listFiles",
            "list",
            "listDirectory",
            "getHardLinkCount",
            "exists",
            "getProfilingEventHook");
  }
}

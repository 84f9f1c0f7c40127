/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

/** Numbers of the protocol, by the names that its specification gives them (section "Values"). */
final class NbdConstants {
  /** "NBDMAGIC". */
  static final long INIT_PASSWD = 0x4e42444d41474943L;

  /** "IHAVEOPT". */
  static final long OPTION_MAGIC = 0x49484156454F5054L;

  static final long OPTION_REPLY_MAGIC = 0x3e889045565a9L;
  static final int REQUEST_MAGIC = 0x25609513;
  static final int SIMPLE_REPLY_MAGIC = 0x67446698;
  static final int STRUCTURED_REPLY_MAGIC = 0x668e33ef;

  /** Handshake flags; the client's flags have the same numbers. */
  static final int FLAG_FIXED_NEWSTYLE = 1;

  static final int FLAG_NO_ZEROES = 1 << 1;

  static final int OPT_EXPORT_NAME = 1;
  static final int OPT_ABORT = 2;
  static final int OPT_LIST = 3;
  static final int OPT_STARTTLS = 5;
  static final int OPT_INFO = 6;
  static final int OPT_GO = 7;
  static final int OPT_STRUCTURED_REPLY = 8;

  static final int REP_ACK = 1;
  static final int REP_SERVER = 2;
  static final int REP_INFO = 3;
  private static final int REP_ERROR = 1 << 31;
  static final int REP_ERR_UNSUP = REP_ERROR | 1;
  static final int REP_ERR_POLICY = REP_ERROR | 2;
  static final int REP_ERR_INVALID = REP_ERROR | 3;
  static final int REP_ERR_TLS_REQD = REP_ERROR | 5;
  static final int REP_ERR_UNKNOWN = REP_ERROR | 6;
  static final int REP_ERR_TOO_BIG = REP_ERROR | 9;

  static final int INFO_EXPORT = 0;
  static final int INFO_NAME = 1;
  static final int INFO_DESCRIPTION = 2;
  static final int INFO_BLOCK_SIZE = 3;

  /** Transmission flags. */
  static final int FLAG_HAS_FLAGS = 1;

  static final int FLAG_READ_ONLY = 1 << 1;
  static final int FLAG_SEND_FLUSH = 1 << 2;
  static final int FLAG_SEND_FUA = 1 << 3;
  static final int FLAG_SEND_WRITE_ZEROES = 1 << 6;
  static final int FLAG_SEND_DF = 1 << 7;
  static final int FLAG_CAN_MULTI_CONN = 1 << 8;

  static final int CMD_READ = 0;
  static final int CMD_WRITE = 1;
  static final int CMD_DISC = 2;
  static final int CMD_FLUSH = 3;
  static final int CMD_WRITE_ZEROES = 6;

  static final int CMD_FLAG_FUA = 1;
  static final int CMD_FLAG_NO_HOLE = 1 << 1;
  static final int CMD_FLAG_DF = 1 << 2;

  static final int REPLY_FLAG_DONE = 1;
  static final int REPLY_TYPE_NONE = 0;
  static final int REPLY_TYPE_OFFSET_DATA = 1;
  static final int REPLY_TYPE_ERROR = (1 << 15) + 1;

  private NbdConstants() {}
}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.protocol;

/** What has become of an attempt to attach a session at a NameNode. */
public enum AttachOutcome {
  /** It is open, and its file is held. */
  ATTACHED,
  /** It was already, for the same file and user. */
  ATTACHED_BEFORE,
  /** It is over, or another user's or file's, or it is too late. */
  UNKNOWN,
  /** There are too many sessions. */
  TOO_MANY,
  /** One that was opened in this term is exclusive, or this one is; or it has not ended yet. */
  IN_USE
}

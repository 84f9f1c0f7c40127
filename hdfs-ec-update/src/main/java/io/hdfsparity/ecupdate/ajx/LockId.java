/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

/**
 * One recovery of one client, the holder of a lock (the paper's {@code lid}, Fig. 6, holds the
 * client only; with the recovery's number a message that comes late cannot act on the lock of the
 * client's next recovery).
 *
 * @param client the client's incarnation
 * @param recovery counts that client's recoveries
 */
public record LockId(long client, long recovery) {}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

/**
 * A block group under one id: rewritten, it has another.
 *
 * @param index in the session
 * @param id that HDFS has given it
 */
record GroupKey(int index, long id) {}

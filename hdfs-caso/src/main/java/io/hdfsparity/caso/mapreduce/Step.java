/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

/**
 * What a task does at a time.
 *
 * @param from first byte
 * @param to behind the last one
 */
record Step(long from, long to) {}

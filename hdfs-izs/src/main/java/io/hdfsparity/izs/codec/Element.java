/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

/**
 * One row of one column: the unit that programs are made of.
 *
 * @param column 0..k+r-1, or above that for what is computed on the way
 * @param row 0..p-1
 */
record Element(int column, int row) {}

/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * Update sessions in the NameNode: a feature that grants, renews and ends them, and replaces block
 * groups that have lost units. The tables behind it are in {@code protocol}, without Hadoop.
 */
@NullMarked
package io.hdfsparity.ecupdate.namenode;

import org.jspecify.annotations.NullMarked;

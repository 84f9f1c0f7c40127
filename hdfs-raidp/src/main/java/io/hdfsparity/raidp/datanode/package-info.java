/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
/**
 * RAIDP inside a DataNode: keeps the Lstor of each disk equal to the sum of the covered images of
 * its replicas through every change that HDFS makes, agrees with partner nodes on extents, and
 * serves images to them.
 *
 * <p>Locks, outermost first: dataset locks of HDFS (held by callers of hooks) &gt; the stripe of a
 * block ({@code Frame#lock}) &gt; the allocation lock of a frame &gt; the Lstor's own. No lock of
 * ours is held during a call to another node (but for reading an image, whose handler takes no
 * lock), and no handler of a call from another node takes a lock of HDFS: so two nodes that call
 * each other cannot wait in a circle.
 */
package io.hdfsparity.raidp.datanode;

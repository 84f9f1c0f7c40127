/* Licensed under the Apache License, Version 2.0. See LICENSE in the project root. */

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A client of HBase; hbase-site.xml is on the class path. HBaseSoak runs it from source.
 *
 * <pre>
 * load FIRST: puts and deletes from number FIRST on, in batches, until it is killed.
 *   "::try FROM TO" before a batch is sent, "::ack FROM TO" when all of it was acknowledged, "::flushed"
 * scan: "::row R N" for each row R, whose value is that of operation N, and "::end"; "::bad R" if its bytes are wrong
 * </pre>
 *
 * Operation N works on row row(N); every tenth deletes it. Rows of a batch differ.
 */
public final class HBaseProgram {
  private static final TableName NAME = TableName.valueOf("soak");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COLUMN = Bytes.toBytes("c");
  private static final int ROWS = 5003;
  private static final int BATCH = 20;
  private static final int BATCHES_A_FLUSH = 100;

  private static long row(long number) {
    return number * 7919 % ROWS;
  }

  private static byte[] value(long number) {
    Random random = new Random(number);
    byte[] bytes = new byte[Long.BYTES + random.nextInt(4000)];
    random.nextBytes(bytes);
    ByteBuffer.wrap(bytes).putLong(0, number);
    return bytes;
  }

  private static void load(Connection connection, long first) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(NAME)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(1).build())
                .build());
      }
      try (Table table = connection.getTable(NAME)) {
        for (long from = first, batches = 1; ; from += BATCH, batches++) {
          List<Row> actions = new ArrayList<>();
          for (long number = from; number < from + BATCH; number++) {
            byte[] key = Bytes.toBytes(row(number));
            actions.add(
                number % 10 == 9 ? new Delete(key) : new Put(key).addColumn(FAMILY, COLUMN, value(number)));
          }
          System.out.println("::try " + from + " " + (from + BATCH));
          Object[] results = new Object[actions.size()];
          table.batch(actions, results);
          System.out.println("::ack " + from + " " + (from + BATCH));
          if (batches % BATCHES_A_FLUSH == 0) {
            admin.flush(NAME);
            System.out.println("::flushed");
          }
        }
      }
    }
  }

  private static void scan(Connection connection) throws Exception {
    try (Table table = connection.getTable(NAME);
        ResultScanner all = table.getScanner(new Scan())) {
      for (Result each : all) {
        long row = Bytes.toLong(each.getRow());
        byte[] bytes = each.getValue(FAMILY, COLUMN);
        long number = ByteBuffer.wrap(bytes).getLong(0);
        boolean isRight = row(number) == row && java.util.Arrays.equals(bytes, value(number));
        System.out.println(isRight ? "::row " + row + " " + number : "::bad " + row);
      }
    }
    System.out.println("::end");
  }

  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      if (args[0].equals("load")) {
        load(connection, Long.parseLong(args[1]));
      } else {
        scan(connection);
      }
    }
  }
}

# Licensed under the Apache License, Version 2.0. See LICENSE in the project root.
#
# Copy to $HADOOP_HOME/etc/hadoop/shellprofile.d/ to get the subcommands of the HDFS Parity Suite:
#
#   hdfs raidp …                     administration of RAIDP (hdfs raidp -help)
#   hdfs --daemon start raidplstor   the Lstor daemon, beside each DataNode

if [[ "${HADOOP_SHELL_EXECNAME}" = hdfs ]]; then
  hadoop_add_subcommand "raidp" admin "administer RAIDP: layout, recovery, checks"
  hadoop_add_subcommand "raidplstor" daemon "serve the Lstors of this node"
fi

function hdfs_subcommand_raidp
{
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=io.hdfsparity.raidp.admin.RaidpAdmin
}

function hdfs_subcommand_raidplstor
{
  # shellcheck disable=SC2034
  HADOOP_SUBCMD_SUPPORTDAEMONIZATION="true"
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=io.hdfsparity.raidp.lstord.LstorDaemon
}

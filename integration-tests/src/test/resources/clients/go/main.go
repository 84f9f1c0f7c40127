// Licensed under the Apache License, Version 2.0. See LICENSE in the project root.

// A program that uses HDFS by github.com/colinmarc/hdfs. Lines as ClientProgram.java describes them; argument: the
// folder of the site files.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/colinmarc/hdfs/v2"
	"github.com/colinmarc/hdfs/v2/hadoopconf"
)

const closeTimeout = time.Minute

// connect makes a client of the NameNode that the site files name.
func connect(site string) (*hdfs.Client, error) {
	conf, err := hadoopconf.Load(site)
	if err != nil {
		return nil, err
	}
	who, err := user.Current()
	if err != nil {
		return nil, err
	}
	options := hdfs.ClientOptionsFromConf(conf)
	options.User = who.Username
	return hdfs.NewClient(options)
}

func run(client *hdfs.Client, operation, path, local string) (string, error) {
	switch operation {
	case "read":
		return "", client.CopyToLocal(path, local)
	case "list":
		return list(client, path)
	case "write":
		target, err := client.Create(path)
		if err != nil {
			return "", err
		}
		return "", write(target, local)
	case "append":
		target, err := client.Append(path)
		if err != nil {
			return "", err
		}
		return "", write(target, local)
	}
	return "", fmt.Errorf("operation=%s", operation)
}

func list(client *hdfs.Client, path string) (string, error) {
	entries, err := client.ReadDir(path)
	if err != nil {
		return "", err
	}
	var answer strings.Builder
	for _, each := range entries {
		fmt.Fprintf(&answer, "\t%s=%d", each.Name(), each.Size())
	}
	return answer.String(), nil
}

func write(target *hdfs.FileWriter, local string) error {
	content, err := os.ReadFile(local)
	if err != nil {
		return err
	}
	if _, err := target.Write(content); err != nil {
		return err
	}
	// While DataNodes have not reported the last block, closing is to be asked again, as its documentation says.
	began := time.Now()
	err = target.Close()
	for hdfs.IsErrReplicating(err) && time.Since(began) < closeTimeout {
		time.Sleep(100 * time.Millisecond)
		err = target.Close()
	}
	return err
}

// explain adds what the server says, which the text of an error leaves out.
func explain(err error) string {
	var refused hdfs.Error
	if errors.As(err, &refused) {
		return err.Error() + ": " + refused.Message()
	}
	return err.Error()
}

func main() {
	client, err := connect(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Split(lines.Text(), "\t")
		answer, err := run(client, words[0], words[1], words[2])
		if err != nil {
			answer = "::refused\t" + strings.Join(strings.Fields(explain(err)), " ")
		} else {
			answer = "::ok" + answer
		}
		fmt.Println(answer)
	}
}

/** PHP that adds posts, so many files, and a plugin's serialized values with addresses in them: those from `from` to `to`. */
export const fillSite = (files: number) => `
  remove_action('publish_post', '_publish_post_hook', 5); // WP-Cron would change what that adds
  for ($n = (int) $_GET['from']; $n < (int) $_GET['to']; $n++) {
    $id = wp_insert_post(array('post_title' => "Entrada $n", 'post_status' => 'publish',
      'post_content' => str_repeat("Ñandú $n ", 40) . home_url("/p/$n")));
    add_post_meta($id, 'probe', array('url' => home_url("/m/$n"), 'deep' => array('json' => wp_json_encode(home_url('/ñ')))));
    if ($n < ${files}) {
      wp_mkdir_p(WP_CONTENT_DIR . '/uploads/' . $n % 20);
      file_put_contents(WP_CONTENT_DIR . '/uploads/' . $n % 20 . "/$n.bin", random_bytes(2000 + $n % 5000));
    }
  }
  update_option('probe', array('home' => home_url(), 'list' => array_map('home_url', range(1, 50))));
  echo 'filled';`;

/** PHP that prints a digest of all rows and files, with the site's address replaced. */
export const digestSite = `
  global $wpdb;
  $own = wp_parse_url(WP_HOME, PHP_URL_HOST);
  $plain = fn($value) => str_replace($own, 'HOST', wp_json_encode(maybe_unserialize($value), JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE));
  $rows = array();
  foreach (array('posts' => 'ID', 'postmeta' => 'meta_id', 'users' => 'ID', 'terms' => 'term_id', 'comments' => 'comment_ID') as $table => $key) {
    $hash = hash_init('sha256');
    $count = 0;
    foreach ($wpdb->get_results("SELECT * FROM {$wpdb->$table} ORDER BY $key", ARRAY_A) as $row) {
      unset($row['guid']); // it never changes
      foreach ($row as $value) hash_update($hash, $plain($value) . ';');
      $count++;
    }
    $rows[$table] = $count . ' ' . hash_final($hash);
  }
  $rows['option'] = hash('sha256', $plain(get_option('probe')));
  $paths = array();
  $all = new RecursiveIteratorIterator(new RecursiveDirectoryIterator(WP_CONTENT_DIR . '/uploads', FilesystemIterator::SKIP_DOTS));
  foreach ($all as $path => $file) $paths[substr($path, strlen(WP_CONTENT_DIR))] = hash_file('sha256', $path);
  ksort($paths);
  $rows['files'] = count($paths) . ' ' . hash('sha256', serialize($paths));
  echo json_encode($rows);`;
